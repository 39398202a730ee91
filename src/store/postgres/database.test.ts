import { describe, expect, it } from 'vitest';
import { unusable } from './database.ts';

describe('a database that cannot be used', () => {
  it.each([
    ['postgres://me:hush@db.example.com/x', 'db.example.com:5432/x'],
    ['postgres://me:hush@db.example.com:6432/x', 'db.example.com:6432/x'],
    ['postgresql://me:hush@[2001:db8::1]/x', '[2001:db8::1]:5432/x'],
    ['postgres://me:hush@h/x?host=/run/postgresql', '/run/postgresql:5432/x'],
    ['postgres://me:hush@db.example.com:6432/x?sslrootcert=/no/such.crt', 'db.example.com:6432/x'],
  ])('is named without user and password: %s', (url, place) => {
    expect(unusable(url, new Error('timeout expired')).message).toBe(
      `cannot use the database ${place}: timeout expired`,
    );
  });

  it('is told of with the reasons of all addresses of its host', () => {
    const errors = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
    expect(unusable('postgres://h/x', new AggregateError(errors)).message).toBe(
      'cannot use the database h:5432/x: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    );
  });
});
