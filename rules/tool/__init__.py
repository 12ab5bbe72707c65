"""What tslint says about its own work; nothing here answers an event of the model."""
