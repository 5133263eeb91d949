"""Networks that read the hours of a stay, and the methods that are built on them."""
