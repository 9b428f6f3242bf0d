"""What house rules change, value by value and by consequence."""
