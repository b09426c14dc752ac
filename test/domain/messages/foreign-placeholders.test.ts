import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertPlaceholders } from '../../../src/domain/messages/foreign-placeholders.ts';

const columns = ['phone', 'first_name', 'due'];

describe('columns as other tools write them', () => {
  for (const [written, converted] of [
    ['Hi {first_name}', 'Hi {{first_name}}'],
    ['Hi [First Name], {due}', 'Hi {{first_name}}, {{due}}'],
    ['Hi ((first_name))', 'Hi {{first_name}}'],
    ['Hi #first_name#', 'Hi {{first_name}}'],
    ['50% off, %first_name%', '50% off, {{first_name}}'],
    ['Hi *|FIRST_NAME|*', 'Hi {{first_name}}'],
    ['Hi <<First name>> and <first_name>', 'Hi {{first_name}} and {{first_name}}'],
    ['Hi {$firstName}', 'Hi {{first_name}}'],
    ['Hi %recipient.first_name%', 'Hi {{first_name}}'],
    ['Hi {first_name|there}', 'Hi {{first_name|there}}'],
    ['Hi {{ first_name | default: "there" }}', 'Hi {{first_name|there}}'],
    ["Hi {{ first_name|default('there') }}", 'Hi {{first_name|there}}'],
    ['Hi {{ first_name | capitalize | default: ‘friend’ }}', 'Hi {{first_name|friend}}'],
    ['Hi {{ first_name | upcase }}', 'Hi {{first_name}}'],
    ['Hi {{ first_name | default: "there" | strip_html }}', 'Hi {{first_name|there}}'],
    ['Hi {{first_name | default: there, allow_false: true}}', 'Hi {{first_name|there}}'],
    ['Hi {first_name, fallback=there}', 'Hi {{first_name|there}}'],
    ['Hi {{first_name|truncate: 10}}', 'Hi {{first_name}}'],
    ['Hi {{contact.first_name}}', 'Hi {{first_name}}'],
    ['Hi {{ contact.first_name | default("there") }}', 'Hi {{first_name|there}}'],
    ['Hi {{firstName}} and {{ FIRSTNAME }}', 'Hi {{first_name}} and {{first_name}}'],
    ['Hi $first_name, you owe $due.', 'Hi {{first_name}}, you owe {{due}}.'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as other tools write it
    ['Hi ${first_name} and %{first_name}', 'Hi {{first_name}} and {{first_name}}'],
    ['Hi {{ first_name or "there" }}', 'Hi {{first_name|there}}'],
    ['Hi {{first_name || "there"}}', 'Hi {{first_name|there}}'],
    ["Hi {{ first_name ?? 'there' }}", 'Hi {{first_name|there}}'],
    ['Hi [first_name or “there”]', 'Hi {{first_name|there}}'],
    ['Hi *|FNAME|*', 'Hi {{first_name}}'],
    ['Hi __first_name__, __due__ and __First Name__', 'Hi {{first_name}}, {{due}} and {{first_name}}'],
    ['Hi «First Name»', 'Hi {{first_name}}'],
  ] as const) {
    it(`are converted: ${written}`, () => {
      const { text, converted: found } = convertPlaceholders(written, columns);
      assert.equal(text, converted);
      assert.ok(found.length > 0);
    });
  }

  for (const text of [
    'Hi {{first_name}} and {{first_name|there}}',
    'Hi {name}, [town], ((x)), #1 of #2, 10% to 20%',
    'Mail ada@example.com or first_name@example.com',
    'Hi {{ name | default: "there" }}',
    '(first_name) first_name [] {}',
    'For $500, US$due or $dues, not $name',
    'Hi *|LNAME|*, __name__, «town», {{contact.town}}',
  ]) {
    it(`are not seen in ${text}`, () => {
      assert.deepEqual(convertPlaceholders(text, columns), { text, converted: [] });
    });
  }

  it('are not seen in a column whose name is written out, although another one is named alike', () => {
    const text = 'Hi {{firstname}} and {{first_name}}';
    assert.equal(convertPlaceholders(text, ['firstname', 'first_name']).text, text);
    assert.equal(convertPlaceholders(text, ['first_name', 'firstname']).text, text);
  });
});
