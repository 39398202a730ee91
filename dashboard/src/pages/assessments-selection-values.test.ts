import { describe, expect, it } from 'vitest';
import type { NamedSignup } from '../../../src/contract/dashboard-assessments.ts';
import { valuesOf } from './assessments-selection-values.ts';

const signup = (ip: string | null, domain = 'example.com') => ({ ip, domain }) as NamedSignup;

describe('the values of chosen signups', () => {
  const rows = [
    signup('203.0.113.9'),
    signup('198.51.100.7', 'a.example'),
    signup('203.0.113.7'),
    signup('2001:db8:1:2::5'),
    signup(null),
  ];

  it('are ranges, IPs and domains, the most frequent first', () => {
    expect(valuesOf(rows, 'range')).toEqual([
      { value: '203.0.113.0/24', count: 2 },
      { value: '198.51.100.0/24', count: 1 },
      { value: '2001:db8:1:2::/64', count: 1 },
    ]);
    expect(valuesOf(rows, 'ip').map(({ value }) => value)).toHaveLength(4);
    expect(valuesOf(rows, 'domain')).toEqual([
      { value: 'example.com', count: 4 },
      { value: 'a.example', count: 1 },
    ]);
  });
});
