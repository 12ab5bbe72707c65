from .model import build, Net
