import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Astro compares the origin of a form with these names: write those of your site.
  security: { allowedDomains: [{ hostname: '127.0.0.1' }] },
});
