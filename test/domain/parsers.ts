import { ownId } from '../../src/domain/access/ownership.ts';
import { readPrivateValue, showPersonal, toRecord } from '../../src/domain/access/private-values.ts';
import { epochOf, idempotencyKey } from '../../src/domain/access/request-keys.ts';
import { createWordSearch } from '../../src/domain/campaigns/audience.ts';
import {
  dividedNumber,
  excerptOf,
  isMeantAsNumber,
  kindOfCell,
  numberCell,
  readNumberCell,
} from '../../src/domain/csv/cell-kinds.ts';
import {
  isCountryCodeTitle,
  isPhoneTitle,
  namesOtherNumbers,
  rateNumberTitle,
  titleWords,
  weightOfTitle,
} from '../../src/domain/csv/title-words.ts';
import { restored, writeCsv } from '../../src/domain/csv/write-csv.ts';
import {
  asksForReply,
  checkDelivery,
  filteredIn,
  hasLink,
} from '../../src/domain/deliveries/delivery-check.ts';
import {
  isReceived,
  outcomeOf,
  readReportedStatus,
  withoutOwnWords,
} from '../../src/domain/deliveries/delivery-status.ts';
import { readCertainTime, readReportedTime } from '../../src/domain/deliveries/reported-time.ts';
import { readIccid, withoutFiller } from '../../src/domain/esims/iccid.ts';
import { nameStates } from '../../src/domain/esims/plan-figures.ts';
import {
  accentedLetters,
  areAccentsInTheWay,
  textToSend,
  withoutAccents,
} from '../../src/domain/messages/accents.ts';
import { convertPlaceholders } from '../../src/domain/messages/foreign-placeholders.ts';
import { listCharacters } from '../../src/domain/messages/message-checks.ts';
import { readTypedTemplate, templateKey } from '../../src/domain/messages/named-templates.ts';
import { splitNumbersFromText } from '../../src/domain/messages/numbers-then-text.ts';
import { costOfOptOutLink } from '../../src/domain/messages/opt-out-cost.ts';
import {
  exampleOptOutLink,
  hasOptOutLink,
  readOptOutToken,
  withOptOutToken,
} from '../../src/domain/messages/opt-out-link.ts';
import { countPages } from '../../src/domain/messages/pages.ts';
import { replaceableCharacters, toPlainText } from '../../src/domain/messages/plain-text.ts';
import { readRoute } from '../../src/domain/messages/routes.ts';
import { isName, readNewSenderId, readSenderId } from '../../src/domain/messages/sender-id.ts';
import {
  columnName,
  readTemplate,
  withFallbacks,
  writtenColumns,
} from '../../src/domain/messages/template.ts';
import { readCost, readMoney } from '../../src/domain/money/money.ts';
import {
  checkCodeText,
  fillCodeText,
  fillMinutes,
  statedLengths,
  statedMinutes,
} from '../../src/domain/otp/code-text.ts';
import {
  hideCode,
  looksLikeOneTimeCode,
  readTypedCode,
  spaceCode,
} from '../../src/domain/otp/one-time-code.ts';
import { namesAmong, resolveNames } from '../../src/domain/phone/contact-names.ts';
import { countryNamed, findCountries, suggestCountries } from '../../src/domain/phone/country-names.ts';
import { groupsOf, numberOf } from '../../src/domain/phone/number-groups.ts';
import { createNumberMentions } from '../../src/domain/phone/number-mentions.ts';
import { phoneNumberSchema, provenNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { findPlainMobile } from '../../src/domain/phone/plain-mobile.ts';
import {
  digitsOf,
  findNumber,
  isShortened,
  plainCharacters,
  readNumber,
  readReportedNumber,
  readTypedNumber,
} from '../../src/domain/phone/read-number.ts';
import {
  findNumbers,
  isConjunction,
  numberOfLink,
  readNumbers,
} from '../../src/domain/phone/read-numbers.ts';
import { readReplySender, replyIdentity } from '../../src/domain/replies/received-reply.ts';
import {
  asksFor,
  everydayWords,
  readStopAnswer,
  unmarkedWords,
} from '../../src/domain/replies/stop-words.ts';
import { isZone, readStart } from '../../src/domain/time/start-time.ts';

const now = new Date('2026-03-02T12:00:00Z');
const ada = createNumberMentions(provenNumberSchema.parse('+2348031234567'));
const note = { title: 'Note', cell: (text: string) => text, phoneNumbers: true };

/** Every function that reads or writes text from outside. */
export const parsers: Record<string, (text: string) => unknown> = {
  'code-text checkCodeText': (text) => checkCodeText(`<code>${text}`, { length: 6, minutes: 10 }),
  'code-text fillCodeText': (text) => fillCodeText(text, { code: '482913', minutes: 10 }),
  'code-text fillMinutes': (text) => fillMinutes(text, 1),
  'code-text statedLengths': statedLengths,
  'code-text statedMinutes': statedMinutes,
  'country-names countryNamed': countryNamed,
  'country-names findCountries': findCountries,
  'country-names suggestCountries': suggestCountries,
  'delivery-check asksForReply': asksForReply,
  'delivery-check checkDelivery': (text) =>
    checkDelivery(
      {
        route: 'generic',
        senderId: text,
        text,
        recipients: { count: 1, quiet: 0, networks: [] },
        landlines: { count: 0, of: 1 },
        activeSenderIds: [text],
        off: [],
      },
      { start: now },
    ),
  'delivery-check filteredIn': filteredIn,
  'delivery-check hasLink': hasLink,
  'delivery-status isReceived': isReceived,
  'delivery-status outcomeOf': outcomeOf,
  'delivery-status readReportedStatus': readReportedStatus,
  'delivery-status withoutOwnWords': withoutOwnWords,
  'private-values readPrivateValue': readPrivateValue,
  'private-values showPersonal': (text) => showPersonal(text, 'record'),
  'private-values toRecord': (text) => toRecord({ text }),
  'foreign-placeholders convertPlaceholders': (text) => convertPlaceholders(text, [text.slice(0, 20)]),
  'iccid withoutFiller': withoutFiller,
  'iccid readIccid': readIccid,
  'cell-kinds readNumberCell': (text) => readNumberCell(text, 'NG'),
  'cell-kinds dividedNumber': (text) => dividedNumber([text, text], 0),
  'cell-kinds excerptOf': excerptOf,
  'cell-kinds isMeantAsNumber': isMeantAsNumber,
  'cell-kinds kindOfCell': (text) => kindOfCell(text, 'NG'),
  'cell-kinds numberCell': (text) => numberCell([text, '44'], { index: 0, codeIndex: 1, country: 'NG' }),
  'title-words isCountryCodeTitle': isCountryCodeTitle,
  'title-words namesOtherNumbers': namesOtherNumbers,
  'title-words rateNumberTitle': rateNumberTitle,
  'title-words isPhoneTitle': isPhoneTitle,
  'title-words titleWords': titleWords,
  'title-words weightOfTitle': weightOfTitle,
  'number-groups groupsOf': groupsOf,
  'number-groups numberOf': (text) => numberOf(groupsOf(text), 'NG'),
  'number-mentions createNumberMentions': (text) => ada.remove(text),
  'read-number readReportedNumber': (text) => readReportedNumber(text, 'NG'),
  'reported-time readReportedTime': readReportedTime,
  'reported-time readCertainTime': (text) => readCertainTime(text, 'Africa/Lagos'),
  'received-reply readReplySender': (text) => readReplySender({ receiver: text, channel: text }, 'chatapp'),
  'numbers-then-text splitNumbersFromText': (text) => splitNumbersFromText(text, 'NG'),
  'one-time-code looksLikeOneTimeCode': looksLikeOneTimeCode,
  'one-time-code spaceCode': spaceCode,
  'one-time-code hideCode': hideCode,
  'ownership ownId': (text) => ownId('U1', text),
  'request-keys epochOf': epochOf,
  'request-keys idempotencyKey': (text) => idempotencyKey(text),
  'message-checks listCharacters': (text) => listCharacters([...text]),
  'money readCost': readCost,
  'money readMoney': readMoney,
  'opt-out-cost costOfOptOutLink': (text) =>
    costOfOptOutLink(`${text}${exampleOptOutLink('https://a.example')}`, 'https://a.example'),
  'opt-out-link hasOptOutLink': hasOptOutLink,
  'opt-out-link readOptOutToken': readOptOutToken,
  'opt-out-link withOptOutToken': (text) => withOptOutToken(text, text.slice(0, 25)),
  'pages countPages': countPages,
  'plan-figures nameStates': (text) => nameStates(text, 1, 'data'),
  'phone-number phoneNumberSchema': (text) => phoneNumberSchema.safeParse(text),
  'plain-mobile findPlainMobile': (text) => findPlainMobile(text, 'NG'),
  'plain-text replaceableCharacters': replaceableCharacters,
  'plain-text toPlainText': toPlainText,
  'read-number digitsOf': digitsOf,
  'read-number findNumber': (text) => findNumber(text, 'NG'),
  'read-number isShortened': isShortened,
  'read-number plainCharacters': plainCharacters,
  'read-number readNumber': (text) => readNumber(text, 'NG'),
  'read-number readTypedNumber': (text) => readTypedNumber(text, 'NG'),
  'read-numbers findNumbers': (text) => findNumbers(text, 'NG'),
  'read-numbers isConjunction': isConjunction,
  'read-numbers numberOfLink': numberOfLink,
  'read-numbers readNumbers': (text) => readNumbers(text, 'NG'),
  'named-templates readTypedTemplate': (text) => readTypedTemplate(text, [{ name: text }]),
  'named-templates templateKey': templateKey,
  'routes readRoute': readRoute,
  'sender-id readNewSenderId': readNewSenderId,
  'sender-id isName': isName,
  'sender-id readSenderId': readSenderId,
  'start-time isZone': isZone,
  'start-time readStart': (text) => readStart({ date: text, time: text, zone: text }, now),
  'received-reply replyIdentity': (text) =>
    replyIdentity({ id: text, writtenAt: text, from: text, text }, now),
  'stop-words asksFor': (text) => asksFor(text, ['CANCEL']),
  'stop-words everydayWords': (text) => everydayWords(text, { stop: [], start: [] }),
  'stop-words readStopAnswer': (text) => readStopAnswer(text),
  'stop-words unmarkedWords': unmarkedWords,
  'audience createWordSearch': (text) => [createWordSearch(text)?.('yes'), createWordSearch('yes')?.(text)],
  'contact-names namesAmong': namesAmong,
  'contact-names resolveNames': (text) => resolveNames(text, []),
  'accents accentedLetters': accentedLetters,
  'accents areAccentsInTheWay': areAccentsInTheWay,
  'accents textToSend': (text) => textToSend(text, true),
  'accents withoutAccents': withoutAccents,
  'template columnName': columnName,
  'template withFallbacks': withFallbacks,
  'template writtenColumns': writtenColumns,
  'template readTemplate': readTemplate,
  'one-time-code readTypedCode': readTypedCode,
  'write-csv restored': restored,
  'write-csv writeCsv': (text) => [...writeCsv([note], [text])],
};
