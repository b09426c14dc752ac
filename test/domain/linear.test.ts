import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { ownId } from '../../src/domain/access/ownership.ts';
import { epochOf, idempotencyKey } from '../../src/domain/access/request-keys.ts';
import { createWordSearch } from '../../src/domain/campaigns/audience.ts';
import { excerptOf, headerOf, readNumberCell } from '../../src/domain/csv/number-table.ts';
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
import { maskIccid, readIccid } from '../../src/domain/esims/iccid.ts';
import { nameStates } from '../../src/domain/esims/plan-figures.ts';
import { listCharacters } from '../../src/domain/messages/message-checks.ts';
import { readTypedTemplate, templateKey } from '../../src/domain/messages/named-templates.ts';
import { splitNumbersFromText } from '../../src/domain/messages/numbers-then-text.ts';
import { hasOptOutLink, readOptOutToken, withOptOutToken } from '../../src/domain/messages/opt-out-link.ts';
import { countPages } from '../../src/domain/messages/pages.ts';
import { replaceableCharacters, toPlainText } from '../../src/domain/messages/plain-text.ts';
import { readRoute } from '../../src/domain/messages/routes.ts';
import { isName, readNewSenderId, readSenderId, smsSender } from '../../src/domain/messages/sender-id.ts';
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
import { namesAmong, replaceNames } from '../../src/domain/phone/contact-names.ts';
import { countryNamed, findCountries } from '../../src/domain/phone/country-names.ts';
import { groupsOf, numberOf } from '../../src/domain/phone/number-groups.ts';
import { createNumberMentions } from '../../src/domain/phone/number-mentions.ts';
import { phoneNumberSchema, provenNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { findPlainMobile } from '../../src/domain/phone/plain-mobile.ts';
import {
  digitsOf,
  findNumber,
  plainCharacters,
  readNumber,
  readReportedNumber,
  readTypedNumber,
} from '../../src/domain/phone/read-number.ts';
import { findNumbers, readNumbers } from '../../src/domain/phone/read-numbers.ts';
import { readReplySender, replyIdentity } from '../../src/domain/replies/received-reply.ts';
import { readStopAnswer, unmarkedWords } from '../../src/domain/replies/stop-words.ts';
import { isZone, readStart } from '../../src/domain/time/start-time.ts';
import { assertLinear } from '../support/assert-linear.ts';

const now = new Date('2026-03-02T12:00:00Z');
const ada = createNumberMentions(provenNumberSchema.parse('+2348031234567'));
const note = { title: 'Note', cell: (text: string) => text, phoneNumbers: true };

/** Every function that reads or writes text from outside. */
const parsers: Record<string, (text: string) => unknown> = {
  'code-text checkCodeText': (text) => checkCodeText(`<code>${text}`, { length: 6, minutes: 10 }),
  'code-text fillCodeText': (text) => fillCodeText(text, { code: '482913', minutes: 10 }),
  'code-text fillMinutes': (text) => fillMinutes(text, 1),
  'code-text statedLengths': statedLengths,
  'code-text statedMinutes': statedMinutes,
  'country-names countryNamed': countryNamed,
  'country-names findCountries': findCountries,
  'delivery-check asksForReply': asksForReply,
  'delivery-check checkDelivery': (text) =>
    checkDelivery(
      {
        route: 'generic',
        senderId: text,
        text,
        recipients: { count: 1, quiet: 0, networks: [] },
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
  'iccid maskIccid': maskIccid,
  'iccid readIccid': readIccid,
  'number-table headerOf': (text) => headerOf([{ line: 1, cells: [text] }]),
  'number-table readNumberCell': (text) => readNumberCell(text, 'NG'),
  'number-table excerptOf': excerptOf,
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
  'read-number plainCharacters': plainCharacters,
  'read-number readNumber': (text) => readNumber(text, 'NG'),
  'read-number readTypedNumber': (text) => readTypedNumber(text, 'NG'),
  'read-numbers findNumbers': (text) => findNumbers(text, 'NG'),
  'read-numbers readNumbers': (text) => readNumbers(text, 'NG'),
  'named-templates readTypedTemplate': (text) => readTypedTemplate(text, [{ name: text }]),
  'named-templates templateKey': templateKey,
  'routes readRoute': readRoute,
  'sender-id readNewSenderId': readNewSenderId,
  'sender-id isName': isName,
  'sender-id readSenderId': readSenderId,
  'sender-id smsSender': smsSender,
  'start-time isZone': isZone,
  'start-time readStart': (text) => readStart({ date: text, time: text, zone: text }, now),
  'received-reply replyIdentity': (text) =>
    replyIdentity({ id: text, writtenAt: text, from: text, text }, now),
  'stop-words readStopAnswer': (text) => readStopAnswer(text),
  'stop-words unmarkedWords': unmarkedWords,
  'audience createWordSearch': (text) => [createWordSearch(text)?.('yes'), createWordSearch('yes')?.(text)],
  'contact-names namesAmong': namesAmong,
  'contact-names replaceNames': (text) => replaceNames(text, new Map()),
  'template columnName': columnName,
  'template withFallbacks': withFallbacks,
  'template writtenColumns': writtenColumns,
  'template readTemplate': readTemplate,
  'one-time-code readTypedCode': readTypedCode,
  'write-csv restored': restored,
  'write-csv writeCsv': (text) => [...writeCsv([note], [text])],
};

/** The other functions, each with the reason why it is not tested here. */
const others: Record<string, string> = {
  'budget-period budgetPeriod': 'takes a date',
  'campaign-version changedParts': 'takes versions: seven parts at most, each of a bounded length',
  'campaign-version digestOf': 'reads no text',
  'campaign-version hashPart': 'hashes what was bounded',
  'campaign-version versionOf': 'reads no text',
  'campaign-version withSender': 'takes a digest: four parts of a bounded length',
  'chunk-size chunkSize': 'reads no text',
  'decision decide': 'reads no text',
  'decision grantSchema': 'takes ids, which it compares',
  'decision permissionState': 'reads no text',
  'delivery-check nigerianAmong': 'takes numbers that were read',
  'decision defaultGrants': 'takes an id',
  'ownership ifOwn': 'compares ids',
  'ownership ifSteerable': 'compares ids',
  'request-keys withEpoch': 'joins two texts',
  'decision withGrants': 'takes ids, which it compares',
  'decision withoutGrant': 'takes ids, which it compares',
  'roles leastRoleWith': 'looks a text up',
  'roles permissionsOf': 'looks texts up',
  'contact-rows readContactRows': 'reads rows that readCsv has bounded, by readNumberCell',
  'countries callingCodeOf': 'takes a code of a country',
  'countries countryCodeSchema': 'looks a text up',
  'countries countryName': 'takes a code of a country',
  'countries isCountry': 'looks a text up',
  'message-checks checkSenderFields': 'reads by readSenderId',
  'message-checks checkText': 'reads by countPages',
  'message-checks checkTemplateText': 'takes a template that was read',
  'message-checks definedFaults': 'takes our own sentences',
  'message-checks senderFields': 'takes what was read',
  'message-checks senderOf': 'trims a text',
  'country-pages countryPagesOf': 'takes numbers that were read',
  'country-pages countryPagesOfList': 'takes counts',
  'country-pages unknownCountry': 'is a constant',
  'money nanosPerUnit': 'is a constant',
  'money priceDecimals': 'is a constant',
  'money roundNanos': 'takes a number',
  'money writeMoney': 'takes what readMoney read',
  'number-table findNumberColumn': 'reads rows that readCsv has bounded, by readNumberCell',
  'number-table isPlainList': 'reads rows that readCsv has bounded, by readNumberCell',
  'number-table openNumberTable': 'reads rows that readCsv has bounded, by readNumberCell',
  'number-table widthOf': 'reads rows that readCsv has bounded',
  'recipient-rows readNumberRows': 'reads rows that readCsv has bounded, by readNumberCell',
  'number-groups findInGroups': 'tried as findNumbers',
  'number-groups readGroups': 'tried as readNumbers',
  'number-groups stretches': 'tried as readNumbers',
  'number-mentions removedNumber': 'is a constant',
  'opt-out-link exampleOptOutLink': 'takes an address of the settings',
  'opt-out-link writeOptOutToken': 'takes numbers, and bytes of one length',
  'phone-number countryOf': 'takes a number that was read',
  'phone-number formatNumber': 'takes a number that was read',
  'phone-number maskNumber': 'takes a number that was read',
  'phone-number provenNumberSchema': 'takes a number that was read',
  'phone-number splitNumber': 'takes a number that was read',
  'phone-number toDigits': 'takes a number that was read',
  'limit-settings limitNamesOf': 'takes a subject of ours',
  'number-country describeCountry': 'takes a code of a country',
  'number-country isAllowed': 'takes a code of a country',
  'number-country quickCountryOf': 'takes digits that were bounded',
  'delivery-status summarizeDeliveries': 'takes counts',
  'file-bounds bytesOf': 'reads the lengths of texts',
  'file-bounds charactersIn': 'takes a number',
  'decide-answer decideAnswer': 'takes dates',
  'decide-answer timeOfAnswer': 'takes dates',
  'stop-words explainUnusable': 'reads by readStopAnswer',
  'delivery-status reportedProgress': 'takes a state',
  'reported-time earliestRequestOf': 'takes a date',
  'reported-time isStaleReport': 'takes a date',
  'reported-time isTooOld': 'takes a date',
  'reported-time latestRequestOf': 'takes a date',
  'reported-time mayBeOfRequest': 'takes dates',
  'plan-deadlines deadlinesOf': 'takes dates',
  'quiet-hours inQuietHours': 'takes a date',
  'quiet-hours isQuietOperator': 'takes a number that was read',
  'quiet-hours meetsQuietHours': 'takes a date',
  'quiet-hours quietHoursEnd': 'takes a date',
  'read-numbers describeInvalid': 'takes what readNumbers found',
  'read-numbers nameInvalid': 'takes what readNumbers found',
  'otp-ways codeLength': 'takes a way and a number',
  'otp-ways isOwnWay': 'looks a text up',
  'otp-ways otpWaySchema': 'looks a text up',
  'otp-ways ownWaySchema': 'looks a text up',
  'read-csv catchCsvFault': 'reads no text',
  'seen compareSeen': 'takes facts',
  'read-csv CsvFault': 'is an error',
  'read-csv createKeep': 'counts what is kept of a file: test/domain/csv/csv-bounds.test.ts',
  'read-csv readCsv': 'reads a file: test/domain/csv/csv-bounds.test.ts',
  'read-csv overLimit': 'takes a number of a line',
  'read-csv refuseTooManyRows': 'reads a file: test/domain/csv/csv-bounds.test.ts',
  'reached-limit isLiftable': 'takes a reason',
  'reached-limit lastToFree': 'takes limits',
  'reached-limit limitReasonSchema': 'reads what it wrote',
  'recipient-rows nameColumns': 'takes titles that readCsv has bounded, by columnName',
  'repeat countRuns': 'takes dates that repeatSchema has read',
  'repeat dateAfter': 'takes a date that Slack names',
  'repeat faultOfRepeat': 'takes dates that repeatSchema has read',
  'repeat nextRun': 'takes dates that repeatSchema has read',
  'repeat repeatSchema': 'takes dates that Slack names',
  'contact-names findByName': 'takes contacts',
  'watch balanceStep': 'reads amounts by readMoney',
  'watch decideEvent': 'takes what was read',
  'watch decideWatch': 'takes what was read',
  'watch dueDigest': 'takes a zone that Slack names',
  'watch followFailures': 'takes what was read',
  'watch isDown': 'takes what was read',
  'watch routeFacts': 'takes counts',
  'watch watchFactsSchema': 'reads what it wrote',
  'rejected-row countedProblems': 'reads no text',
  'rejected-row problemCountsSchema': 'looks a text up',
  'rejected-row rowProblemSchema': 'looks a text up',
  'recipient-rows openRecipients': 'reads rows that readCsv has bounded, by readNumberCell',
  'routes adviseRoute': 'takes a number that was read',
  'routes genericReaches': 'takes an advice',
  'routes isNigerian': 'takes a number that was read',
  'routes routeForAll': 'takes numbers that were read',
  'routes isBilledByPage': 'takes a route',
  'routes needsConfirmation': 'takes a warning',
  'routes routeSchema': 'looks a text up',
  'routes warningsFor': 'takes a text of bounded length, for countPages and looksLikeOneTimeCode',
  'start-time endOfDay': 'takes a date that Slack names',
  'start-time sortableTime': 'takes a date',
  'start-time momentOf': 'takes a date and a time that Slack names',
  'start-time startOfDay': 'takes a date that Slack names',
  'start-time clockIn': 'takes a zone that Slack names',
  'start-time inZone': 'takes a zone that Slack names',
  'start-time nextFullHour': 'takes a zone that Slack names',
  'template columnsWithoutFallback': 'takes a template that was read',
  'template namesColumn': 'takes a template that was read',
  'template isPersonal': 'takes a template that was read',
  'template render': 'takes a template that was read',
  'template withoutColumns': 'takes a template that was read',
  'template unknownColumns': 'takes a template that was read',
  'write-csv csvFiles': 'writes as writeCsv does',
  'write-csv streamCsv': 'writes as writeCsv does',
};

/** Data, which reads nothing. */
const data = new Set([
  'chunk-size maxRecipientsPerRequest',
  'code-text codePlaceholder',
  'code-text defaultCodeText',
  'countries countries',
  'delivery-rules codeWords',
  'delivery-rules deliveryRuleNames',
  'delivery-rules deliveryRules',
  'delivery-rules filteredWords',
  'delivery-rules knownSince',
  'delivery-rules linkEndings',
  'delivery-rules networkPrefixes',
  'decision maxGrants',
  'roles permissions',
  'roles roles',
  'defaults highestApprovalHours',
  'defaults limitBounds',
  'file-bounds fileBounds',
  'seen changes',
  'seen nothingShown',
  'seen seenSchema',
  'defaults usualApprovalHours',
  'defaults usualCountries',
  'defaults usualEsimPurchases',
  'limit-settings limitNames',
  'limit-settings limitedSubjects',
  'limit-settings rateScopes',
  'limit-settings rateWindows',
  'number-country noCountry',
  'named-templates maxTemplateName',
  'opt-out-link exampleToken',
  'opt-out-link optOutColumn',
  'opt-out-link optOutPath',
  'opt-out-link tagBytes',
  'opt-out-link tokenLength',
  'routes routes',
  'routes routeTitles',
  'sender-id maxSenderIdLength',
  'stop-words answerWords',
  'audience audienceParts',
  'watch watchKinds',
  'audience maxWordLength',
  'audience partRules',
  'repeat repeatUnits',
]);

describe('parsing of hostile text', () => {
  for (const [name, parse] of Object.entries(parsers)) {
    it(`takes linear time: ${name}`, () => assertLinear(name, parse));
  }

  it('is tested for every exported function', async () => {
    const folder = new URL('../../src/domain/', import.meta.url);
    const exported: string[] = [];
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) {
        continue;
      }
      const module: object = await import(new URL(file, folder).href);
      exported.push(...Object.keys(module).map((name) => `${basename(file, '.ts')} ${name}`));
    }
    assert.deepEqual(
      exported.filter((name) => !data.has(name)).toSorted(),
      [...Object.keys(parsers), ...Object.keys(others)].toSorted(),
    );
  });
});
