import { describe, expect, it } from 'vitest';
import { whatIsSought } from './what-is-sought.ts';

describe('the search', () => {
  it.each([
    ['REQ_01kbq', { page: 'assessments/req_01kbq', query: {} }],
    [' 203.0.113.9 ', { page: 'assessments', query: { ip: '203.0.113.9' } }],
    ['203.0.113.0/24', { page: 'assessments', query: { ip: '203.0.113.0/24' } }],
    ['2001:db8::/48', { page: 'assessments', query: { ip: '2001:db8::/48' } }],
    ['as64500', { page: 'assessments', query: { asn: 'AS64500' } }],
    ['Somebody@Example.COM', { page: 'assessments', query: { domain: 'example.com' } }],
    ['example.com', { page: 'assessments', query: { domain: 'example.com' } }],
    ['cart-77', { page: 'assessments', query: { session_id: 'cart-77' } }],
  ])('reads %s', (typed, sought) => {
    expect(whatIsSought(typed)).toEqual(sought);
  });

  it('seeks nothing where nothing is typed', () => {
    expect(whatIsSought('  ')).toBeUndefined();
  });
});
