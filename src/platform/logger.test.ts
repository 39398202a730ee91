import { describe, expect, it } from 'vitest';
import { atEveryLevel, createLogger, formatLogLine, serializeError } from './logger.ts';

const AT = new Date(2026, 10, 22, 9, 3, 4).toISOString();
const line = (members: object) => JSON.stringify({ level: 'info', time: AT, ...members });
const plain = (members: object) => formatLogLine(line(members), false);

describe('a log line for people', () => {
  it('has local time, level, message, and then the rest as key=value', () => {
    expect(plain({ msg: 'listening', url: 'http://127.0.0.1:8080', data: '/srv/my data' })).toBe(
      '09:03:04 info  listening  url=http://127.0.0.1:8080  data="/srv/my data"\n',
    );
    expect(plain({ level: 'error', msg: 'failed', why: '', tries: 3, feeds: ['a', 'b'], last: null })).toBe(
      '09:03:04 error failed  why=""  tries=3  feeds=["a","b"]  last=null\n',
    );
  });

  it('has the error in the line, and its stack below', () => {
    const err = {
      type: 'Error',
      message: 'no such table',
      stack: 'Error: no such table\n    at read (a.ts:1:2)',
    };
    expect(plain({ level: 'error', msg: 'the store failed', err })).toBe(
      '09:03:04 error the store failed  error="no such table"\n    at read (a.ts:1:2)\n',
    );
  });

  it('has colours only where the output supports them', () => {
    expect(formatLogLine(line({ level: 'warn', msg: 'careful', why: 'x' }), true)).toBe(
      '\u001b[2m09:03:04\u001b[0m \u001b[33mwarn \u001b[0m careful  \u001b[2mwhy=\u001b[0mx\n',
    );
  });

  it('contains no control characters from untrusted text', () => {
    const text = plain({
      msg: 'GET \u001b[2J/\u0007\n12:00:00 info forged',
      path: '\u001b]0;title\u0007\r\n',
    });
    expect(text.slice(0, -1)).not.toMatch(/\p{Cc}/u);
  });
});

describe('the logger', () => {
  it('names levels by words', () => {
    const written: string[] = [];
    const file = { isTTY: false, write: (text: string) => written.push(text) > 0 };
    const log = createLogger({ logLevel: 'trace' }, file as unknown as NodeJS.WriteStream);
    const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
    for (const level of levels) log[level]('a line');
    atEveryLevel(createLogger({ logLevel: 'fatal' }, file as unknown as NodeJS.WriteStream)).info('a line');
    const read = written.map((text) => (JSON.parse(text) as { level: unknown }).level);
    expect(read).toEqual([...levels, 'info']);
  });

  it('writes lines for people to a terminal, from its level up', () => {
    const written: string[] = [];
    const screen = { isTTY: true, hasColors: () => false, write: (text: string) => written.push(text) > 0 };
    const log = createLogger({ logLevel: 'warn' }, screen as unknown as NodeJS.WriteStream);
    log.info('unseen');
    log.warn({ err: new Error('why') }, 'seen');
    expect(written).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d warn {2}seen {2}error=why\n {4}at /)]);
  });
});

describe('an error in the log', () => {
  it('names its causes', () => {
    const cause = new Error('connection refused');
    expect(serializeError(new Error('no database', { cause }))).toMatchObject({
      cause: 'connection refused',
    });
    expect(serializeError(new AggregateError([cause], 'all failed'))).toMatchObject({
      errors: ['connection refused'],
    });
    expect(serializeError('thrown text')).toEqual({ message: 'thrown text' });
  });
});
