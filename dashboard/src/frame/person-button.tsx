/** The button of the person's menu, whose code is loaded when somebody is about to open it. */
import { ActionIcon } from '@mantine/core';
import { lazy } from 'react';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { IconUserCircle } from '../ui/icons.ts';
import { closedParts, type MenuButtonParts, useWanted } from '../ui/menu-button.tsx';

const load = () => import('./person-menu.tsx');
const PersonMenu = lazy(async () => ({ default: (await load()).PersonMenu }));

export function PersonButton({ session, onHelp }: { session: Session; onHelp: () => void }) {
  const [wanted, want] = useWanted();
  const button = (parts: MenuButtonParts) => (
    <ActionIcon variant="subtle" size="lg" aria-label={`Signed in as ${session.user.email}`} {...parts}>
      <IconUserCircle size={20} stroke={1.6} />
    </ActionIcon>
  );
  if (wanted) return <PersonMenu session={session} onHelp={onHelp} button={button} />;
  return button(closedParts(want, load));
}
