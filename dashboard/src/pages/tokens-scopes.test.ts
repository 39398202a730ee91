import { describe, expect, it } from 'vitest';
import { MANAGE_SCOPES } from '../../../src/model/manage-token.ts';
import { isIncluded, SCOPES, withoutIncluded } from './tokens-scopes.ts';

describe('the scopes of a form', () => {
  it('are all that there are', () => {
    expect([...SCOPES].sort()).toEqual([...MANAGE_SCOPES].sort());
  });

  it('include reading in changing the same', () => {
    expect(isIncluded('keys:read', ['keys:read', 'lists:write'])).toBe(false);
    expect(isIncluded('keys:read', ['keys:write'])).toBe(true);
    expect(isIncluded('keys:write', ['keys:write'])).toBe(false);
    expect(isIncluded('audit:read', [...MANAGE_SCOPES])).toBe(false);
    expect(withoutIncluded(['keys:read', 'keys:write', 'audit:read'])).toEqual(['keys:write', 'audit:read']);
  });
});
