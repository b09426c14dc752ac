import fc from 'fast-check';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

/** A Nigerian mobile number, and one of the ways people write it. */
export interface Spelled {
  number: PhoneNumber;
  text: string;
}

const beginnings = ['0', '+234', '+234 ', '234', '00234', '+234 (0)', '(0)', 'tel:+234'];
const groupings = [[10], [3, 3, 4], [3, 7], [3, 4, 3], [2, 4, 4], [5, 5]];
const between = ['', ' ', '-', '.', ' - ', '\u00A0', '\u2011'];

export const spelled: fc.Arbitrary<Spelled> = fc
  .record({
    prefix: fc.constantFrom('803', '805', '706', '810', '901', '916'),
    subscriber: fc.stringMatching(/^\d{7}$/),
    beginning: fc.constantFrom(...beginnings),
    grouping: fc.constantFrom(...groupings),
    between: fc.constantFrom(...between),
  })
  .map((parts) => {
    const national = parts.prefix + parts.subscriber;
    let at = 0;
    const groups = parts.grouping.map((length) => {
      at += length;
      return national.slice(at - length, at);
    });
    return {
      number: phoneNumberSchema.parse(`+234${national}`),
      text: parts.beginning + groups.join(parts.between),
    };
  });
