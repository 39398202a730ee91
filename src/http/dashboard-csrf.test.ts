import { describe, expect, it } from 'vitest';
import { createCsrfOrigins } from './dashboard-csrf.ts';
import type { RequestContext } from './request-context.ts';

/** Where a page is that was asked for by this scheme and host. */
function originOf(protocol: string, host: string, publicUrl: string | null = null): string {
  return createCsrfOrigins(publicUrl).of({ protocol, host } as RequestContext);
}

describe('the address of the dashboard in links', () => {
  it.each([
    ['http', 'localhost:8080'],
    ['https', 'gatehouse.example.com'],
    ['https', '203.0.113.7:8443'],
    ['http', '[2001:db8::1]:8080'],
    ['http', 'gate_house'],
  ])('is the one that the client named: %s://%s', (protocol, host) => {
    expect(originOf(protocol, host)).toBe(`${protocol}://${host}`);
  });

  it.each([
    ['javascript', 'gatehouse.example.com'],
    ['https, http', 'gatehouse.example.com'],
    ['https', ''],
    ['https', 'evil.example/?'],
    ['https', 'gatehouse.example.com@evil.example'],
    ['https', 'gatehouse.example.com#'],
    ['https', 'gatehouse.example.com:port'],
    ['https', 'two words'],
  ])('is not made of what is no address: %s://%s', (protocol, host) => {
    expect(() => originOf(protocol, host)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('is the public URL where one is set, whatever the client named', () => {
    expect(originOf('ftp', 'evil.example/?', 'https://gatehouse.example.com/')).toBe(
      'https://gatehouse.example.com',
    );
  });
});
