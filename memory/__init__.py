"""What is known, and when it was true."""
