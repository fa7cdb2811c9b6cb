"""What people and admins can ask of her by command, menu and button."""
