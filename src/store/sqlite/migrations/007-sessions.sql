-- How long a session lasts is decided by its creation and its last use; the library, which knows only the wall clock, ends none.
UPDATE auth_sessions SET expiresAt = '9999-12-31T00:00:00.000Z';
