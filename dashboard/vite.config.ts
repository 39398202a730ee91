/** Decides how the pages become static files: hashed names, no inlined scripts, the frame's libraries in one chunk. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
      // What the bundler adds by itself.
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
  },
  server: { proxy: { '/dashboard': 'http://127.0.0.1:8080', '/v1': 'http://127.0.0.1:8080' } },
});
