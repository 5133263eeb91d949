"""What the app may be trusted with: each line of TRUST.md that this machine can run."""
