// The default theme, whose fonts the site serves itself, in the colours of the dashboard.
import DefaultTheme from 'vitepress/theme';
import './colors.css';

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export
export default DefaultTheme;
