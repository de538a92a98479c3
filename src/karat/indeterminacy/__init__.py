"""Do conclusions survive that people disagree? (`karat audit`)"""
