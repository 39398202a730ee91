/** Shows text as a QR code, drawn here: a secret is sent to nobody to have it drawn. */

import styles from './profile.module.css';
import { qrModules } from './qr/qr-modules.ts';

const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = qrModules(text);
  const side = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      width={196}
      height={196}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
