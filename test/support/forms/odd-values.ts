import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject, objectsIn, stringAt } from '../../../sandbox/lib/json.ts';

/** What people paste, what programs trip over, and what no field means. */
const texts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\n',
      'Ada',
      'Hello',
      'PalmMarket',
      '+2348031234567',
      '0803 123 4567',
      '+1 555 0100',
      '0805',
    ],
    ...[
      '0',
      '-1',
      '1',
      '7',
      '10',
      '12a',
      '1e999',
      '0x10',
      '1.5',
      '1,000',
      'nan',
      'Infinity',
      '٣',
      '½',
      '9'.repeat(400),
    ],
    ...['9007199254740993', '99999999999', '-0', '+', '00000'],
    ...[
      '\ud800',
      'a\udfff b',
      '\u0000',
      '\u202e',
      '😀',
      '👩‍👩‍👧'.repeat(50),
      'ọ'.repeat(3000),
      'x'.repeat(3000),
    ],
    ...[
      '{{',
      '{{first_name|',
      '{{first_name}}',
      '{{__proto__}}',
      '=1+1',
      '((((',
      '[',
      '\\',
      '%',
      "'; --",
      '`*_~',
    ],
    ...['<@U0AGENT>', '<tel:08031234567|0803>', '<#C0SUPPORT>', ':smile:', '&amp;', '</>'],
    ...['__proto__', 'constructor', 'toString', 'null', 'valueOf', '{"a":', '[]', 'https://example.com/?a=1'],
    ...['2026-02-30', '25:99', 'tomorrow', 'a@example.com', 'a@', '64c07f1e9d2b5a8813e4f0a1'],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom('0803 123 4567', '(0805) 123-4568', '0805', ',', ';', '\n', ' '), {
      maxLength: 200,
    })
    .map((parts) => parts.join(' ')),
);

const dates = fc.constantFrom(
  ...[
    '2026-02-30',
    '2026-02-29',
    '0000-01-01',
    '0001-01-01',
    '1969-12-31',
    '2026-13-01',
    '2026-00-00',
    '9999-12-31',
  ],
  ...[
    '10000-01-01',
    '2100-01-01',
    '2027-03-05',
    '2027-3-5',
    '2027-03-05T10:00:00Z',
    '',
    'tomorrow',
    '-2027-03-05',
    '٢٠٢٧-٠٣-٠٥',
  ],
);

const times = fc.constantFrom(
  '25:99',
  '24:00',
  '23:59',
  '00:00',
  '9:5',
  '09:30:15',
  '',
  'noon',
  '-1:00',
  '١٢:٠٠',
);

const ids = fc.constantFrom(
  ...[
    '',
    'C0SUPPORT',
    'C0CAMPAIGNS',
    'C0OLD',
    'C0ELSEWHERE',
    'D0',
    'G0',
    'U0AGENT',
    'U0ADMIN',
    'U0GUEST',
    'U0STRANGER',
  ],
  ...[
    'U0HARADMIN',
    'W0SISTER',
    'B0SWITCHBOARD',
    'S0CAMPAIGNERS',
    '__proto__',
    'c0support',
    'U'.repeat(300),
    '\ud800',
  ],
);

const option = (values: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom('', ...values) }, { weight: 2, arbitrary: texts })
    .map((value) => ({
      text: { type: 'plain_text', text: value.slice(0, 70) || 'An option', emoji: true },
      // Longer than Slack takes, and short enough for hundreds of them in one request.
      value: value.slice(0, 200),
    }));

const file = fc.record(
  {
    id: fc.constantFrom('F0ELSEWHERE', '', '../../../etc/passwd', '__proto__'),
    // Three hundred longer ones are a body of more than 1 MB, which is refused before it is read.
    name: fc.oneof(
      texts.map((text) => text.slice(0, 255)),
      fc.constant(null),
    ),
    size: fc.constantFrom<Json>(0, -1, 1e12, null, '7'),
    mode: fc.constantFrom<Json>('hosted', 'external', 'tombstone', null),
    url_private_download: fc.constantFrom<Json>(
      '',
      'http://127.0.0.1:1/x',
      'file:///etc/passwd',
      'https://[',
      null,
    ),
  },
  { requiredKeys: [] },
);

/** The state of an element of this type, as Slack names it, with anything in it. `offered`: the values of its options. */
function stateOf(type: string, offered: readonly string[]): fc.Arbitrary<JsonObject> {
  const several = <Value>(one: fc.Arbitrary<Value>) =>
    fc.oneof(
      fc.array(one, { maxLength: 3 }),
      fc.tuple(one, fc.constantFrom(0, 1, 300)).map(([value, length]) => Array<Value>(length).fill(value)),
    );
  const of = (property: string, value: fc.Arbitrary<Json>) =>
    fc
      .oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
      .map((chosen): JsonObject => ({ type, [property]: chosen }));
  switch (type) {
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return of('selected_option', option(offered));
    case 'checkboxes':
    case 'multi_static_select':
    case 'multi_external_select':
      return of('selected_options', several(option(offered)));
    case 'conversations_select':
      return of('selected_conversation', ids);
    case 'users_select':
      return of('selected_user', ids);
    case 'multi_users_select':
      return of('selected_users', several(ids));
    case 'datepicker':
      return of('selected_date', dates);
    case 'timepicker':
      return of('selected_time', times);
    case 'file_input':
      return of('files', several(file));
    default:
      return of('value', texts);
  }
}

const types = [
  ...[
    'plain_text_input',
    'static_select',
    'radio_buttons',
    'checkboxes',
    'multi_users_select',
    'users_select',
  ],
  ...['conversations_select', 'datepicker', 'timepicker', 'file_input', 'number_input'],
];

/** Values that are of no type that Slack's elements have. */
const misshapen = fc.constantFrom<Json>(5, true, {}, [], [null], { value: 5 }, 'text', [[]]);

/** Anything that may come back of a field: of its own kind, of another's, of no kind, or nothing. */
export function oddState(element: JsonObject): fc.Arbitrary<Json | undefined> {
  const type = stringAt(element, 'type') ?? '';
  const options = [
    ...objectsIn(element.options),
    ...objectsIn(element.option_groups).flatMap((group) => objectsIn(group.options)),
  ];
  const offered = options.flatMap((each) => stringAt(each, 'value') ?? []);
  const own = stateOf(type, offered);
  return fc.oneof(
    { weight: 12, arbitrary: own },
    { weight: 2, arbitrary: fc.constantFrom(...types).chain((other) => stateOf(other, offered)) },
    { weight: 1, arbitrary: fc.constant({ type }) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(own, misshapen)
        .map(([state, value]) =>
          Object.fromEntries(Object.keys(state).map((key) => [key, key === 'type' ? type : value])),
        ),
    },
  );
}

export interface ShownField {
  blockId: string;
  actionId: string;
  element: JsonObject;
}

/** The fields of a view: in input blocks, and beside texts and buttons. */
export function fieldsOf(view: JsonObject): ShownField[] {
  return objectsIn(view.blocks).flatMap((block) =>
    [block.element, block.accessory, ...objectsIn(block.elements)]
      .filter(isJsonObject)
      .filter(({ type, action_id }) => action_id !== undefined && type !== 'button' && type !== 'overflow')
      .map((element) => ({
        blockId: stringAt(block, 'block_id') ?? '',
        actionId: stringAt(element, 'action_id') ?? '',
        element,
      })),
  );
}
