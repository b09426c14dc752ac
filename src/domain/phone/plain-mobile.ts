import metadata from 'libphonenumber-js/max/metadata';
import { z } from 'zod';
import type { CountryCode } from './countries.ts';
import { type PhoneNumber, provenNumberSchema } from './phone-number.ts';

/**
 * The fast path for large files: reads a mobile number of the default country in digits only, `+2348031234567`,
 * `2348031234567`, `08031234567` or `8031234567`. Used only where the library's metadata is simple: the country shares its
 * calling code with no other, and no other prefix can be mistaken for the trunk prefix. Returns undefined otherwise:
 * `readNumber` then decides. A test compares both in all countries.
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
  /** The accepted spellings. The group `national` is the number without any prefix. */
  spelling: RegExp;
  /** Of national numbers. */
  lengths: ReadonlySet<number>;
}

const plans = new Map<CountryCode, MobilePlan | 'none'>();

const pattern = z.string().min(1);
const lengths = z.array(z.number());
const patternOrNone = pattern.or(z.literal(0));
const other = z.unknown();

/** A country's entry in the library's metadata, version 4. */
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
      /** The prefix for dialling abroad. */
      abroad,
      /** The prefix for dialling within the country. */
      atHome: atHome === 0 ? undefined : atHome,
      /** The prefixes that may precede a national number, if there are others than `atHome`. */
      beforeNational: beforeNational === 0 ? undefined : beforeNational,
      /** Of all numbers, and of mobile ones. */
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
    // As `phoneNumberSchema` requires.
    lengths: new Set(
      lengths.filter((length) => length + callingCode.length >= 6 && length + callingCode.length <= 15),
    ),
  };
}
