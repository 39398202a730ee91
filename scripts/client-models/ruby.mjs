// Writes the models of the Ruby client: frozen objects with readers. A member that an answer has not is its zero value, or nil where it is optional.

const CLASSES = { text: 'String', integer: 'Integer', number: 'Numeric' };

export function rubyModels({ answers }) {
  return {
    'clients/ruby/lib/gatehouse/models.rb': `# frozen_string_literal: true

# Answers of the API. Written by scripts/client-models.mjs from openapi.json: do not edit.

module Gatehouse
${answers.map(toClass).join('\n')}end
`,
  };
}

function toClass({ name, description, fields, hasMeta }) {
  const readers = fields.map((member) => `${docOf(member)}    attr_reader :${member.name}\n`);
  const values = fields.map((member) => `      @${member.name} = ${readOf(member)}\n`);
  const meta = hasMeta ? '\n    # The headers of the answer: an AnswerMeta.\n    attr_reader :meta\n' : '';
  return `  # ${[`A part of an answer.`, description].filter(Boolean).join(' ')}
  class ${name}
${readers.join('')}${meta}
    # The whole answer, with members that this client does not know.
    attr_reader :raw

    # @param data [Hash]
    def initialize(data${hasMeta ? ', meta = nil' : ''})
${values.join('')}${hasMeta ? '      @meta = meta\n' : ''}      @raw = data
      freeze
    end

    # The names of the members, for logs.
    def inspect
      "#<#{self.class} #{raw}>"
    end
  end
`;
}

function docOf({ description, type }) {
  const values = type.values === undefined ? '' : `One of ${type.values.join(', ')}.`;
  const kind =
    type.kind === 'object'
      ? type.name
      : type.kind === 'list'
        ? `Array<${type.of.name ?? CLASSES[type.of.kind]}>`
        : '';
  const text = [description, values, kind].filter((part) => part !== '').join(' ');
  return text === '' ? '' : `    # ${text}\n`;
}

function readOf({ name, type, isRequired }) {
  const method = isRequired ? type.kind : `${type.kind}_or_nil`;
  if (type.kind === 'object') {
    const value = `${type.name}.new(Read.members(data, "${name}"))`;
    return isRequired ? value : `data["${name}"].nil? ? nil : ${value}`;
  }
  if (type.kind === 'list' && type.of.kind !== 'object')
    return `Read.values(data, "${name}", ${CLASSES[type.of.kind]})`;
  if (type.kind === 'list')
    return `Read.list(data, "${name}").map { |each| ${type.of.name}.new(each) }.freeze`;
  return `Read.${method}(data, "${name}")`;
}
