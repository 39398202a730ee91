/** Writes the script of clients/proof.js into the clients that show forms, so that an application serves it without a file. */

/** A line of script ends where the file's does, and is not indented: a content policy may name its hash. */
export function proofScripts(source) {
  const script = source
    .replace(/^ *\/\*\*.*\*\/\n/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
  // Each language below has it as it is.
  if (/['"]{3}|\\|^RUBY$|^PHP;?$|<\//m.test(script))
    throw new Error('clients/proof.js has what cannot be written into a client');
  return {
    'clients/python/src/gatehouse/_proof_script.py': `"""The script in a form that asks for a proof of work. Written by scripts/client-models.mjs from clients/proof.js."""\n\nPROOF_SCRIPT = """${script}"""\n`,
    'clients/ruby/lib/gatehouse/proof_script.rb': `# frozen_string_literal: true\n\nmodule Gatehouse\n  # The script in a form that asks for a proof of work. Written by scripts/client-models.mjs from clients/proof.js.\n  PROOF_SCRIPT = <<~'RUBY'.chomp\n${script.replace(/^/gm, '    ')}\n  RUBY\nend\n`,
    'clients/php/src/ProofScript.php': `<?php\n\ndeclare(strict_types=1);\n\nnamespace Gatehouse;\n\n/** The script in a form that asks for a proof of work. Written by scripts/client-models.mjs from clients/proof.js. */\nfinal class ProofScript\n{\n    public const TEXT = <<<'PHP'\n${script.replace(/^/gm, '        ')}\n        PHP;\n}\n`,
  };
}
