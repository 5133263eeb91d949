"""Every sentence, made from typed findings: pages, command line and reports share them."""
