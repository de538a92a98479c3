"""How many labels by people are needed, on which items, and is the judge worth it?"""
