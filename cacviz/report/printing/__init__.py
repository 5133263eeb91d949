"""The figures of the pages for print: SVG and PNG at journal widths, by matplotlib."""
