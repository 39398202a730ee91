/** The navigation on a phone: over the page, closed when a page opens. */
import { Drawer } from '@mantine/core';
import { SideNavigation } from './side-navigation.tsx';
import type { Current } from './use-current.ts';

export function NavigationDrawer({ current, onClose }: { current: Current; onClose: () => void }) {
  return (
    <Drawer
      opened
      onClose={onClose}
      size={272}
      title="Gatehouse"
      padding="xs"
      closeButtonProps={{ 'aria-label': 'Close navigation' }}
    >
      <SideNavigation current={current} narrow={false} />
    </Drawer>
  );
}
