/** Shows text as a QR code, drawn in the browser, so that the secret is sent to nobody. */
import { encode } from 'uqr';
import styles from './profile-page.module.css';

/** Light modules around the code, as ISO/IEC 18004 asks. */
const QUIET_ZONE = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      width={196}
      height={196}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
