/** Decides how the pages become static files: hashed names, no inlined scripts, few files. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { GROUPS } from './chunks.ts';

/** Address of the service, from `npm run dev` or set by a person who runs vite alone. The host stays, because the service compares it with a page's origin. */
const TO_SERVICE = { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:8080', changeOrigin: false };
/** Beginnings of the paths that are no page of the dashboard. */
const FROM_SERVICE = [
  '/v1/',
  '/dashboard/',
  '/hooks/',
  '/scim/',
  '/docs',
  '/challenge/',
  '/notices',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
];

/** Notes which packages the pages are made of, for their licences: `.vite/packages.json`. */
const bundledPackages: Plugin = {
  name: 'bundled-packages',
  generateBundle(_options, bundle) {
    // Fonts come by style sheets, which are no modules any more.
    const assets = Object.values(bundle).flatMap((file) =>
      file.type === 'asset' ? file.originalFileNames : [],
    );
    const names = [...this.getModuleIds(), ...assets].flatMap((id) => {
      const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
      // Code that the bundler adds by itself.
      return inPackage ?? /^\0?(vite|rolldown)\//.exec(id)?.[1] ?? [];
    });
    const source = JSON.stringify([...new Set(names)].sort());
    this.emitFile({ type: 'asset', fileName: '.vite/packages.json', source });
  },
};

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), bundledPackages],
  build: {
    outDir: fileURLToPath(new URL('../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    // A font as data: would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: { proxy: Object.fromEntries(FROM_SERVICE.map((path) => [path, TO_SERVICE])) },
});
