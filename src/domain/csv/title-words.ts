/** Words of the titles of columns, in the languages of the lists that people use here. Read without marks. */

const phone = words(
  'phone phones telephone telefon telefone telefono téléphone teléfono tel tél fone foonu fóònù simu waya ekwenti ekwentị',
);
const mobile = words(
  'mobile mobiles mobil móvil movil cell cellphone cellular celular gsm msisdn whatsapp handy portable sms',
);
/** Also used for accounts and orders, whose numbers may look like phone numbers. */
const numbers = words(
  'number numbers no nos num nr nbr numero número numéro nummer lambar nomba recipient recipients receiver destination',
);
const otherThings = words(
  `account accounts acct acc nuban iban bank bvn nin tin vat tax meter invoice order receipt ref reference id ids identifier
  card policy serial imei iccid matric admission registration reg passport voter licence license staff employee payroll
  customer client member student pupil balance amount total price salary fax zip postcode postal batch transaction`,
);
/** Of somebody else, or where no SMS arrives. */
const others = words('kin guarantor emergency referee spouse alternate alternative');
const places = words('home house work office business land landline fixed main switchboard');
const rest = words(
  `name names nom nombre nome oruko aha suna jina first last middle second surname surnames forename given family full
  prénom apellido title prefix suffix nickname initials email emails mail address addresses street city town lga state
  country region area company organization organisation organizations org department dept branch date day month year
  birthday birth dob gender sex age due paid owed debt currency code class form grade section parent parents guardian
  teacher job position role designation note notes remark remarks comment comments status type value label labels group
  groups tag tags plan product item quantity created updated modified added opt optin subscribed source language website
  url web sn row index contact contacts kontakt person owner stage rating column details description location
  narration debit credit period pay net gross message messages text`,
);

/** Beside the words of a title, as in *What is your phone number?* and *Patient’s phone*. */
const betweenWords = words(
  `e s n of the de du des la le l d for your our my and or to in with please enter type what whats is at on active valid
  preferred best line lines next patient pupil hospital clinic driver buyer seller agent vendor supplier subscriber
  passenger beneficiary farmer tenant borrower applicant candidate guest visitor donor delegate attendee participant
  respondent user sender receiver shop store`,
);

const titles = [phone, mobile, numbers, otherThings, others, places, rest].reduce((all, some) =>
  all.union(some),
);

function words(list: string): Set<string> {
  return new Set(unmarked(list).split(/\s+/));
}

function unmarked(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** In characters: a longer cell is no title. */
const maxTitle = 80;

/** `MobilePhone` and `mobile_phone` are two words each. */
function wordsIn(title: string): string[] {
  return title.length > maxTitle
    ? []
    : unmarked(title)
        .replace(/WhatsApp/g, 'whatsapp')
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .filter((word) => word !== '');
}

/** Returns how many of a cell’s words are found in titles of columns: `some` of them, or `all`. */
export function titleWords(cell: string): 'none' | 'some' | 'all' {
  const found = wordsIn(cell);
  const known = found.filter((word) => titles.has(word) || endsAsPhone(word)).length;
  const between = found.filter((word) => betweenWords.has(word) && !titles.has(word)).length;
  return known === 0 ? 'none' : known + between === found.length ? 'all' : 'some';
}

/** `mobilenumber` and `phone1`, as programs name their columns. */
function endsAsPhone(word: string): boolean {
  return /phone|mobile|msisdn|whatsapp/.test(word);
}

/** Whether a title says that its column has phone numbers. */
export function isPhoneTitle(title: string): boolean {
  return wordsIn(title).some((word) => phone.has(word) || mobile.has(word) || endsAsPhone(word));
}

/**
 * How likely a text over numbers is their title: `sure` if it has only words of titles, `likely` if it ends with *phone* and
 * the like. *Phone switched off* is a remark.
 */
export function rateNumberTitle(title: string): 'none' | 'likely' | 'sure' {
  const found = wordsIn(title);
  if (found.join() === 'to') {
    return 'sure';
  }
  const named = found.some((word) => numbers.has(word) || /^(?:contacts?|kontakt)$/.test(word));
  if (titleWords(title) === 'all' && (named || isPhoneTitle(title))) {
    return 'sure';
  }
  return isPhoneTitle(found.at(-1) ?? '') ? 'likely' : 'none';
}

/** Whether a column has the country codes of the numbers beside it, or names their countries. */
export function isCountryCodeTitle(title: string): boolean {
  return (
    title.length <= maxTitle &&
    /(?:country|calling|dial(?:l?ing)?|isd)[\s_-]?code|\bcountry(?:\s*\/\s*region)?$/i.test(title)
  );
}

/** Whether a title speaks of other numbers, such as of accounts, or of somebody else’s. */
export function namesOtherNumbers(title: string): boolean {
  return weightOfTitle(title) < 0.5;
}

/** How much a title speaks for its column, or against it: a factor. */
export function weightOfTitle(title: string): number {
  const found = wordsIn(title);
  const has = (list: ReadonlySet<string>) => found.some((word) => list.has(word));
  const whose = has(others) ? 0.4 : has(places) ? 0.8 : 1;
  if (has(new Set(['fax']))) {
    return 0.25;
  }
  if (has(mobile) || found.some((word) => /mobile|msisdn|whatsapp/.test(word))) {
    return 2 * whose;
  }
  if (isPhoneTitle(title)) {
    return 1.75 * whose;
  }
  return has(otherThings) ? 0.25 : (has(numbers) ? 1.25 : 1) * whose;
}
