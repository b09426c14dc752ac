import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  columnName,
  isPersonal,
  readTemplate,
  render,
  type Template,
  type TemplatePart,
  unknownColumns,
  withFallbacks,
  writtenColumns,
} from '../../../src/domain/messages/template.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';

function templateOf(text: string): Template {
  const read = readTemplate(text);
  assert.ok(read.ok, read.ok ? '' : read.reason);
  return read.template;
}

function reasonOf(text: string): string {
  const read = readTemplate(text);
  return read.ok ? '' : read.reason;
}

function renderedWith(text: string, values: Record<string, string>) {
  return render(templateOf(text), (column) => values[column] ?? '');
}

const write = (parts: readonly TemplatePart[]) =>
  parts
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      return part.fallback === undefined ? `{{${part.column}}}` : `{{ ${part.column} | ${part.fallback} }}`;
    })
    .join('');

const plainText = fc.string({ unit: anyCharacter }).filter((text) => !text.includes('{{'));
const besideBraces = plainText.filter((text) => text !== '' && !/[{}]/.test(text));
const column = fc.stringMatching(/^[a-zé0-9]{1,8}(_[a-z0-9]{1,8})?$/);
const fallback = fc.string({ unit: anyCharacter }).map((text) => text.replace(/[{}]/g, '').trim());
const columnPart = fc.record({ column, fallback }, { requiredKeys: ['column'], noNullPrototype: true });
const parts = fc
  .array(fc.oneof(besideBraces, columnPart))
  .map((all) => all.filter((part, at) => typeof part !== 'string' || typeof all[at - 1] !== 'string'));

describe('a text with columns', () => {
  it('inserts the values of a row, in any spacing and case of the column names', () => {
    const rendered = renderedWith('Hi {{first_name}}, {{ Town }} waits for {{First Name}}.', {
      first_name: 'Ada',
      town: 'Lagos',
    });
    assert.deepEqual(rendered, { ok: true, text: 'Hi Ada, Lagos waits for Ada.' });
  });

  it('uses the fallback, which may be empty, if a value is empty or blank', () => {
    assert.deepEqual(renderedWith('Hi {{first_name|there}}{{title| }}!', { first_name: ' ' }), {
      ok: true,
      text: 'Hi there!',
    });
  });

  it('names each column once that has neither a value nor a fallback', () => {
    assert.deepEqual(renderedWith('{{a}} {{b}} {{a}} {{c|x}} {{d}}', { b: 'B' }), {
      ok: false,
      missing: ['a', 'd'],
    });
  });

  it('inserts braces in a value as text', () => {
    assert.deepEqual(renderedWith('{{a}}', { a: '{{b}}' }), { ok: true, text: '{{b}}' });
  });

  it('is unchanged if it has no columns', () => {
    fc.assert(
      fc.property(plainText, (text) => {
        const template = templateOf(text);
        assert.equal(isPersonal(template), false);
        assert.deepEqual(
          render(template, () => 'value'),
          { ok: true, text },
        );
      }),
    );
  });

  it('is parsed into the parts it was written from', () => {
    fc.assert(
      fc.property(parts, (written) => {
        const template = templateOf(write(written));
        assert.deepEqual(template.parts, written);
        assert.equal(
          isPersonal(template),
          written.some((part) => typeof part !== 'string'),
        );
      }),
    );
  });

  it('is rendered as its parts in order', () => {
    fc.assert(
      fc.property(parts, fc.func(fc.constantFrom('', ' ', 'Ada', '{{x}}')), (written, value) => {
        const expected = written.map((part) => {
          if (typeof part === 'string') {
            return part;
          }
          return value(part.column).trim() === '' ? part.fallback : value(part.column);
        });
        const rendered = render(templateOf(write(written)), value);
        assert.equal(rendered.ok, !expected.includes(undefined));
        if (rendered.ok) {
          assert.equal(rendered.text, expected.join(''));
        }
      }),
    );
  });

  it('is refused, with the excerpt, if a column is not closed or has no name', () => {
    assert.match(reasonOf('Hi {{first_name'), /“{{first_name” is not closed/);
    assert.match(reasonOf('Hi {{first_name} and {{town}}'), /“{{first_name} and {{town}}” is not closed/);
    assert.match(reasonOf('{{a|{{b}}}}'), /is not closed/);
    assert.match(reasonOf('Hi {{ }}!'), /“{{ }}” names no column/);
    assert.match(reasonOf('Hi {{|there}}'), /names no column/);
  });

  it('names the columns that a table does not have', () => {
    assert.deepEqual(unknownColumns(templateOf('{{a}} {{b|x}} {{c}} {{b}}'), ['a', 'd']), ['b', 'c']);
    assert.deepEqual(unknownColumns(templateOf('Hello'), []), []);
  });
});

describe('the name of a column', () => {
  it('is the title in lower case with underscores', () => {
    for (const [title, name] of [
      ['First Name', 'first_name'],
      [' E-mail (work) ', 'e_mail_work'],
      ['PRÉNOM', 'prénom'],
      ['Pre\u0301nom', 'prénom'],
      ['#', ''],
    ] as const) {
      assert.equal(columnName(title), name);
    }
  });

  it('is its own column name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (title) => {
        assert.equal(columnName(columnName(title)), columnName(title));
      }),
    );
  });
});

describe('a single message', () => {
  it('has the fallbacks of its columns, and those without one as they are written', () => {
    const text = 'Hi {{ First name | there }}, {{item}}{{x|}} {one} {{}} {{|a}} {{item}} {{a{{b|c}}';
    assert.equal(withFallbacks(text), 'Hi there, {{item}} {one} {{}} {{|a}} {{item}} {{ac');
    assert.deepEqual(writtenColumns(text), ['{{ First name | there }}', '{{item}}', '{{x|}}', '{{b|c}}']);
    assert.deepEqual(writtenColumns('No {columns} {{!}} here }}'), []);
  });

  it('has no column left where each has a fallback', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('{{a|b}}', '{{name|}}', '{{x|y z}}'));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const read = readTemplate(parts.join(''));
        fc.pre(read.ok && !parts.join('').includes('{{{'));
        assert.deepEqual(writtenColumns(withFallbacks(parts.join(''))), []);
      }),
    );
  });
});
