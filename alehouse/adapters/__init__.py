"""Alehouse's games inside other libraries; each module needs the library it is named for."""
