/** Finds secrets in the arguments of commands, which every user of a machine can read while a command runs. */

const NAME =
  '\\w*(?:password|passwd|secret|token|credential|api_?key|deploy_?key|private_?key|database_?url|redis_?url)s?(?!\\w)';
/** Expansions by shells, systemd, Kubernetes, workflows and Helm. Names of files are none. */
const EXPANSION = new RegExp(
  [
    `\\$\\{?${NAME}`,
    `\\$\\(${NAME}\\)`,
    `\\{\\{(?!-?\\s*(?:if|else|with|range|fail)\\b)[^}]*?(?:\\.|\\b)${NAME}[^}]*\\}\\}`,
  ].join('|'),
  'i',
);
/** Substitution of a file's content, unless all of the line keeps it in a variable. */
const CONTENT = /\$\((?:cat\b|\s*<)|`cat\b/;
const KEPT = /^(?:export )?\w+="?(?:\$\((?:cat\b|\s*<)[^()]*\)|`cat [^`]*`)"?$/;
/** Options whose value is a secret, as it is written there. */
const OPTION =
  /(?:^|[\s"'[,])--?(?:pass(?:word)?|requirepass|token|secret|api-key|private-key|auth)(?:=|["']?[,\s]+["']?)(?!-)[^\s"',]/i;
const URL_WITH_PASSWORD = /\b[a-z]+:\/\/[^\s:/@"']*:[^\s/@"']+@/i;
/** Commands of the shell itself, which start no program. */
const BUILTINS = /^(?:printf|echo|case|export|read|set|unset|test|\[ |:|esac|\w+=|[^\s()]*\)$)/;
const KEYWORDS = /^(?:(?:if|elif|while|until|then|else|do|!|\{|\()\s+)+/;
/** Members of YAML that are commands; another that holds one value is a setting. */
const COMMANDS = /^(?:- )?(?:command|args|entrypoint|run|exec|test)$/;

/** Lines that pass a secret to a program, trimmed. */
export function secretArguments(text: string): string[] {
  const whole = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return whole.map((line) => line.trim()).filter((line) => !/^(?:#|\/\/)/.test(line) && passesSecret(line));
}

function passesSecret(line: string): boolean {
  const [, key = '', value] = /^((?:- )?[\w.-]+):(?: (.*))?$/.exec(line) ?? [];
  if (value !== undefined && !COMMANDS.test(key)) return false;
  const command = (value ?? line).replace(/^Exec\w+=/, '').replace(/^(?:RUN|CMD|ENTRYPOINT) /, '');
  if (/^Environment=/.test(command)) return false;
  if (CONTENT.test(command) && !KEPT.test(command)) return true;
  return command.split(/\|\||&&|[;|]|\$\((?!\()(?!\w+\))/).some(isProgramWithSecret);
}

function isProgramWithSecret(part: string): boolean {
  let command = part.trim().replace(KEYWORDS, '');
  // Variables of one command go to it through the environment.
  for (let before = ''; before !== command; ) {
    before = command;
    command = command.replace(/^\w+=(?:"[^"]*"|'[^']*'|[^\s"']*)\s+(?=\S)/, '');
  }
  if (BUILTINS.test(command)) return false;
  return [EXPANSION, OPTION, URL_WITH_PASSWORD].some((shape) => shape.test(command));
}
