// The table that compares a real run with the model's prediction for the same traffic.
import { table } from './tables.mjs';

export function replayTable({ measured, seconds, accounts, attempts, nodes, rows }) {
  const where = `${attempts} attempts of ${accounts} accounts in ${seconds} s through ${nodes} nodes, ${measured.at} UTC; load of the machine before: ${measured.loadBefore}.`;
  return `${where}\n\n${table(
    ['', 'Model', 'Measured', 'Measured / model'],
    rows.map(({ name, model, real }) => [name, shown(model), shown(real), (real / model).toFixed(2)]),
  )}`;
}

function shown(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
