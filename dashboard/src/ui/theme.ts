/** Decides how the component library looks: its colours and sizes are the dashboard's tokens. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const SANS = '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif';
const MONO = '"JetBrains Mono Variable", ui-monospace, "SF Mono", Menlo, monospace';

/** The tokens' dark scheme, in place of the library's greys: from text to the darkest background. */
const DARK: MantineColorsTuple = [
  '#ececee',
  '#c4c7cd',
  '#a9adb5',
  '#8e939c',
  '#3a3f46',
  '#24282d',
  '#16181b',
  '#0e0f11',
  '#0b0c0e',
  '#08090a',
];

/** Plain buttons are ink on paper; `red` is for what cannot be undone. */
const variantColors: VariantColorsResolver = (input) => {
  const danger = input.color === 'red';
  if (input.variant === 'filled') {
    return danger
      ? button('var(--gh-danger)', 'var(--gh-danger-hover)', '#fff', 'transparent')
      : button('var(--gh-ink)', 'var(--gh-ink-hover)', 'var(--gh-on-ink)', 'transparent');
  }
  const ink = danger ? 'var(--gh-block)' : 'var(--gh-text)';
  if (input.variant === 'subtle') return button('transparent', 'var(--gh-hover)', ink, 'transparent');
  if (input.variant === 'default' || input.variant === 'outline')
    return button('var(--gh-surface)', 'var(--gh-hover)', ink, 'var(--gh-line-strong)');
  if (input.variant === 'light') return button('var(--gh-sunken)', 'var(--gh-line)', ink, 'transparent');
  return defaultVariantColorsResolver(input);
};

export const theme = createTheme({
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  primaryColor: 'dark',
  colors: { dark: DARK },
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver: variantColors,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Their default is a shade of the primary colour, which in the dark scheme is the background.
    Tabs: { defaultProps: { color: 'var(--gh-ink)' } },
    Checkbox: { defaultProps: { color: 'var(--gh-ink)', iconColor: 'var(--gh-on-ink)' } },
    // Optional fields say so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { transitionProps: { duration: 80 } } } },
    Tooltip: { defaultProps: { openDelay: 250, transitionProps: { duration: 80 }, withArrow: false } },
    Menu: { defaultProps: { transitionProps: { duration: 80 } } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 100, transition: 'fade' },
      },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
  },
});

export const variables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--gh-bg)',
    '--mantine-color-text': 'var(--gh-text)',
    '--mantine-color-dimmed': 'var(--gh-dim)',
    '--mantine-color-placeholder': 'var(--gh-faint)',
    '--mantine-color-anchor': 'var(--gh-link)',
    '--mantine-color-default': 'var(--gh-surface)',
    '--mantine-color-default-hover': 'var(--gh-hover)',
    '--mantine-color-default-color': 'var(--gh-text)',
    '--mantine-color-default-border': 'var(--gh-line-strong)',
    '--mantine-color-error': 'var(--gh-block)',
    '--mantine-primary-color-filled': 'var(--gh-ink)',
    '--mantine-primary-color-filled-hover': 'var(--gh-ink-hover)',
    '--mantine-primary-color-contrast': 'var(--gh-on-ink)',
    '--mantine-line-height': '1.45',
  },
  light: {},
  dark: {},
});

function button(background: string, hover: string, color: string, border: string) {
  return { background, hover, color, border: `1px solid ${border}`, hoverColor: color };
}
