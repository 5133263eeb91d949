"""Does a treatment's effect differ between subtypes?"""
