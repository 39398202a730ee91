import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionConfig, driverUrl } from './connection.ts';
import { unusable } from './unusable.ts';

describe('a database that cannot be used', () => {
  it.each([
    ['postgres://me:hush@db.example.com/x', 'db.example.com:5432/x'],
    ['postgres://me:hush@db.example.com:6432/x', 'db.example.com:6432/x'],
    ['postgresql://me:hush@[2001:db8::1]/x', '[2001:db8::1]:5432/x'],
    ['postgres://me:hush@h/x?host=/run/postgresql', '/run/postgresql:5432/x'],
    ['postgres://me:hush@db.example.com:6432/x?sslrootcert=/no/such.crt', 'db.example.com:6432/x'],
  ])('is named without user and password: %s', (url, place) => {
    expect(unusable(url, new Error('the reason')).message).toBe(
      `cannot use the database ${place}: the reason`,
    );
  });

  it('is reported with the reasons of all addresses of its host', () => {
    const errors = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
    expect(unusable('postgres://h/x', new AggregateError(errors)).message).toBe(
      'cannot use the database h:5432/x: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    );
  });

  it.each([
    [{ code: 'ECONNREFUSED' }, 'start PostgreSQL there, or set the right host and port'],
    [{ code: '28P01' }, 'set the right user and password'],
    [{ code: '3D000' }, 'create the database'],
    [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'add the certificate of the server’s authority'],
    [{ message: 'The server does not support SSL connections' }, 'turn on TLS in the server'],
  ])('is reported with the setting to change: %o', (fields, advice) => {
    const error = Object.assign(new Error('the reason'), fields);
    expect(unusable('postgres://h/x', error).message).toContain(`; ${advice}`);
    expect(unusable('postgres://h/x', new AggregateError([error])).message).toContain(`; ${advice}`);
  });
});

describe('the driver', () => {
  it.each(['prefer', 'require', 'verify-ca'])(
    'does not warn about sslmode=%s, and checks the certificate',
    async (mode) => {
      const warned: Error[] = [];
      const note = (warning: Error) => warned.push(warning);
      process.on('warning', note);
      onTestFinished(() => {
        process.off('warning', note);
      });
      const url = `postgres://me:hush@h/x?sslmode=${mode}&application_name=x`;
      const client = new pg.Client(connectionConfig({ url, connectMs: 1 }));
      await new Promise((done) => setImmediate(done));
      expect((client as unknown as { ssl: unknown }).ssl).toEqual({});
      expect(warned).toEqual([]);
    },
  );

  it('keeps the meaning of libpq if the URL asks for it, and all other modes', () => {
    for (const query of ['sslmode=disable', 'sslmode=no-verify', 'uselibpqcompat=true&sslmode=require', ''])
      expect(driverUrl(`postgres://h/x?${query}`)).toBe(`postgres://h/x?${query}`);
  });
});
