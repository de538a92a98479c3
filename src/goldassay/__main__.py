"""`python -m goldassay`."""

from goldassay.cli import main

if __name__ == "__main__":
    main()
