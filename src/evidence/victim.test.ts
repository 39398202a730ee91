import { describe, expect, it } from 'vitest';
import { victimOf } from './victim.ts';

const kindOf = (address: string) => {
  const [local = '', domain = ''] = address.split('@');
  return victimOf({ local, domain }, false);
};

describe('an address that list bombers enter', () => {
  it.each(['abuse', 'noc', 'security', 'postmaster', 'hostmaster', 'csirt', 'abuse+form'])(
    'is a desk: %s@',
    (local) => {
      for (const domain of ['acme.example', 'gmail.com', 'co.uk.example'])
        expect(kindOf(`${local}@${domain}`)).toBe('desk');
    },
  );

  it.each([
    'j.a.ne.doe@gmail.com',
    'm.ar.i.a.smith@googlemail.com',
    'j.o.h.n@gmail.com',
    'a.b.cdef.ghi+x@gmail.com',
  ])('has dots everywhere: %s', (address) => expect(kindOf(address)).toBe('dots'));

  it('is a gateway, whatever stands before the @', () => {
    for (const local of ['5551234567', 'abuse', 'a.b.c.d'])
      expect(victimOf({ local, domain: 'vtext.com' }, true)).toBe('gateway');
  });
});

describe('an ordinary address is none', () => {
  it.each([
    // Mailboxes with which small firms sign up.
    'info@acme.example',
    'webmaster@acme.example',
    'news@acme.example',
    'admin@acme.example',
    'abuse.smith@acme.example',
    'security-team@acme.example',
    // Names with initials and particles.
    'jane.doe@gmail.com',
    'j.doe@gmail.com',
    'j.r.tolkien@gmail.com',
    'jan.van.den.berg@gmail.com',
    'maria.de.la.cruz@gmail.com',
    'ana.paula.da.silva@gmail.com',
    'jose.luis.garcia.lopez@gmail.com',
    'x+a.b.c.d@gmail.com',
    // Dots count elsewhere: these are other mailboxes.
    'j.a.ne.doe@outlook.com',
    'j.a.ne.doe@gmail.com.example',
    '...@example.com',
  ])('%s', (address) => expect(kindOf(address)).toBe(''));
});
