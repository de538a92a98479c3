"""`python -m karat`."""

from karat.cli import main

if __name__ == "__main__":
    main()
