import metadata from 'libphonenumber-js/max/metadata';
import { z } from 'zod';
import type { CountryCode } from './countries.ts';
import { type PhoneNumber, provenNumberSchema } from './phone-number.ts';

/**
 * A short way for what files of a million rows are full of: a mobile number of the own country in nothing but digits,
 * `+2348031234567`, `2348031234567`, `08031234567` or `8031234567`. It goes by the library's own plan of the country,
 * and only where none but the plainest rules apply: the country shares its calling code with no other, and what stands
 * before the number can be taken for no other prefix. All else is for the long way, `readNumber`, which would come to
 * the same; a test compares them in all countries.
 */
export function findPlainMobile(text: string, country: CountryCode): PhoneNumber | undefined {
  let plan = plans.get(country);
  if (plan === undefined) {
    plan = planOf(country) ?? 'none';
    plans.set(country, plan);
  }
  if (plan === 'none') {
    return undefined;
  }
  const { national } = plan.spelling.exec(text)?.groups ?? {};
  if (national === undefined || !plan.lengths.has(national.length)) {
    return undefined;
  }
  return provenNumberSchema.parse(`+${plan.callingCode}${national}`);
}

interface MobilePlan {
  callingCode: string;
  /** What may be written; its group `national` is the number without what is dialled before it. */
  spelling: RegExp;
  /** That a national number may have. */
  lengths: ReadonlySet<number>;
}

const plans = new Map<CountryCode, MobilePlan | 'none'>();

const pattern = z.string().min(1);
const lengths = z.array(z.number());
const patternOrNone = pattern.or(z.literal(0));
const other = z.unknown();

/** A country's plan as the library packs it: its metadata, version 4. */
const packedPlan = z
  .tuple(
    [
      pattern,
      pattern,
      pattern,
      lengths,
      other,
      patternOrNone,
      other,
      patternOrNone,
      other,
      other,
      other,
      z.tuple([other, z.union([z.tuple([pattern]), z.tuple([pattern, lengths])])], other),
    ],
    other,
  )
  .transform(([callingCode, abroad, general, generalLengths, , atHome, , beforeNational, , , , types]) => {
    const [mobile, mobileLengths = generalLengths] = types[1];
    return {
      callingCode,
      /** What is dialled before the number of another country. */
      abroad,
      /** What is dialled before a number at home. */
      atHome: atHome === 0 ? undefined : atHome,
      /** What may stand before a national number, where that is more than `atHome`. */
      beforeNational: beforeNational === 0 ? undefined : beforeNational,
      /** Of any number, and of a mobile one. */
      patterns: [general, mobile],
      lengths: mobileLengths.filter((length) => generalLengths.includes(length)),
    };
  });

function planOf(country: CountryCode): MobilePlan | undefined {
  const packed = packedPlan.safeParse(metadata.countries[country]);
  if (!packed.success) {
    return undefined;
  }
  const { callingCode, abroad, atHome, beforeNational = atHome, patterns, lengths } = packed.data;
  if (metadata.country_calling_codes[callingCode]?.length !== 1) {
    return undefined;
  }
  const none = beforeNational === undefined ? '' : `(?!${beforeNational})`;
  const home = atHome !== undefined && atHome === beforeNational && /^\d+$/.test(atHome) ? `${atHome}|` : '';
  const national = patterns.map((each) => `(?=(?:${each})$)`).join('');
  return {
    callingCode,
    spelling: new RegExp(
      `^(?:\\+?${callingCode}${none}|(?!${callingCode}|00|${abroad})(?:${home}${none}))(?<national>${national}\\d+)$`,
    ),
    lengths: new Set(lengths.filter((length) => isLengthOfNumber(length + callingCode.length))),
  };
}

/** As `phoneNumberSchema` has it. */
function isLengthOfNumber(digits: number): boolean {
  return digits >= 6 && digits <= 15;
}
