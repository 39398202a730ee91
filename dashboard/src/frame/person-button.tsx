/** The button of the person's menu, whose code is loaded at first use. */
import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { IconUserCircle } from '../ui/icons.ts';

const PersonMenu = lazy(async () => ({ default: (await import('./person-menu.tsx')).PersonMenu }));

export function PersonButton({ session, onHelp }: { session: Session; onHelp: () => void }) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      size="lg"
      aria-label={`Signed in as ${session.user.email}`}
      aria-haspopup="menu"
      {...(wanted ? {} : { onClick: () => setWanted(true) })}
    >
      <IconUserCircle size={20} stroke={1.6} />
    </ActionIcon>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <PersonMenu session={session} onHelp={onHelp}>
        {button}
      </PersonMenu>
    </Suspense>
  );
}
