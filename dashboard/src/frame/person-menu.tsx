/** The menu of the signed-in person: profile, colour scheme, help, sign-out. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { type ApiProblem, auth, forgetSession } from '../api.ts';
import { linkTo } from '../pages.ts';
import {
  IconBook,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '../ui/icons.ts';
import type { MenuButtonParts } from '../ui/menu-button.tsx';
import { MenuWindow } from '../ui/menu-window.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

const SCHEMES = [
  { value: 'auto', words: 'System default', icon: IconDeviceDesktop },
  { value: 'light', words: 'Light', icon: IconSun },
  { value: 'dark', words: 'Dark', icon: IconMoon },
] as const;

interface SignedOut {
  readonly provider_sign_out?: string;
}

export interface PersonMenuProps {
  readonly session: Session;
  onHelp(): void;
  button(parts: MenuButtonParts): ReactElement;
}

export function PersonMenu({ session, onHelp, button }: PersonMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const signOut = useMutation<SignedOut, ApiProblem>({
    mutationFn: () => auth<SignedOut>('/sign-out'),
    onSuccess: async ({ provider_sign_out: elsewhere }) => {
      // The sign-in page offers it once.
      if (elsewhere !== undefined) sessionStorage.setItem('gatehouse.sign-out', elsewhere);
      await forgetSession(client);
      navigate(linkTo('/sign-in'));
    },
  });
  return (
    <MenuWindow width={232} button={button}>
      <Menu.Label>{session.user.email}</Menu.Label>
      <Menu.Item leftSection={<IconUserCircle size={16} />} onClick={() => navigate(linkTo('/profile'))}>
        Profile and security
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Colours</Menu.Label>
      {SCHEMES.map(({ value, words, icon: Icon }) => (
        <Menu.Item
          key={value}
          role="menuitemradio"
          aria-checked={colorScheme === value}
          leftSection={<Icon size={16} />}
          rightSection={colorScheme === value ? '✓' : undefined}
          onClick={() => setColorScheme(value)}
        >
          {words}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onHelp}>
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs">
        API reference
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLogout size={16} />}
        closeMenuOnClick={false}
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </Menu.Item>
      <ProblemNote error={signOut.error} />
    </MenuWindow>
  );
}
