import { html, svg, type TemplateResult } from 'lit';
import type { Inline } from '../text/inline.ts';

/** The emoji that an app for messages, numbers and SIMs is likely to use, and common ones of people. */
const list = `
  +1 👍 -1 👎 thumbsup 👍 thumbsdown 👎 ok_hand 👌 clap 👏 pray 🙏 wave 👋 muscle 💪 point_right 👉
  point_left 👈 point_up ☝️ point_down 👇 raised_hands 🙌 eyes 👀 brain 🧠 smile 😄 grinning 😀
  slightly_smiling_face 🙂 wink 😉 joy 😂 heart_eyes 😍 thinking_face 🤔 cry 😢 sob 😭 sweat_smile 😅
  sunglasses 😎 rage 😡 scream 😱 sleeping 😴 robot_face 🤖 heart ❤️ broken_heart 💔 star ⭐ sparkles ✨
  fire 🔥 boom 💥 zap ⚡ tada 🎉 confetti_ball 🎊 gift 🎁 trophy 🏆 medal 🏅 rocket 🚀 airplane ✈️ car 🚗
  house 🏠 office 🏢 bank 🏦 white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌
  negative_squared_cross_mark ❎ warning ⚠️ no_entry ⛔ no_entry_sign 🚫 stop_sign 🛑 rotating_light 🚨
  construction 🚧 exclamation ❗ heavy_exclamation_mark ❗ grey_exclamation ❕ question ❓ grey_question ❔
  bangbang ‼️ information_source ℹ️ bulb 💡 bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 speech_balloon 💬
  red_circle 🔴 large_orange_circle 🟠 large_yellow_circle 🟡 large_green_circle 🟢 large_blue_circle 🔵
  large_purple_circle 🟣 white_circle ⚪ black_circle ⚫ large_green_square 🟩 large_red_square 🟥
  phone ☎️ telephone ☎️ telephone_receiver 📞 iphone 📱 calling 📲 mobile_phone_off 📴 vibration_mode 📳
  signal_strength 📶 satellite_antenna 📡 electric_plug 🔌 battery 🔋 computer 💻 email ✉️ envelope ✉️
  e-mail 📧 incoming_envelope 📨 envelope_with_arrow 📩 inbox_tray 📥 outbox_tray 📤 mailbox 📫 package 📦
  memo 📝 pencil 📝 pencil2 ✏️ page_facing_up 📄 bookmark 🔖 clipboard 📋 paperclip 📎 pushpin 📌
  round_pushpin 📍 link 🔗 file_folder 📁 open_file_folder 📂 wastebasket 🗑️ bar_chart 📊
  chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 receipt 🧾 label 🏷️ moneybag 💰 credit_card 💳
  money_with_wings 💸 busts_in_silhouette 👥 bust_in_silhouette 👤 id 🆔 key 🔑 lock 🔒 unlock 🔓
  closed_lock_with_key 🔐 shield 🛡️ mag 🔍 mag_right 🔎 gear ⚙️ wrench 🔧 hammer_and_wrench 🛠️ toolbox 🧰
  test_tube 🧪 microscope 🔬 book 📖 books 📚 hourglass ⌛ hourglass_flowing_sand ⏳ alarm_clock ⏰
  stopwatch ⏱️ clock1 🕐 clock9 🕘 calendar 📅 date 📅 crescent_moon 🌙 new_moon_with_face 🌚 sunny ☀️
  sunrise 🌅 cloud ☁️ rainbow 🌈 globe_with_meridians 🌐 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏
  flag-ng 🇳🇬 flag-gb 🇬🇧 flag-us 🇺🇸 arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️
  arrow_forward ▶️ double_vertical_bar ⏸️ arrows_counterclockwise 🔄 repeat 🔁 leftwards_arrow_with_hook ↩️ heavy_plus_sign ➕
  heavy_minus_sign ➖ black_small_square ▪️ small_blue_diamond 🔹 small_orange_diamond 🔸 one 1️⃣
  two 2️⃣ three 3️⃣ 100 💯 new 🆕 ok 🆗 sos 🆘
  abc 🔤 1234 🔢 scissors ✂️ speaking_head_in_silhouette 🗣️ raised_hand ✋ handshake 🤝 hash #️⃣
`;

const characters = new Map(
  Array.from(list.matchAll(/(\S+)\s+(\S+)/g), ([, name = '', character = '']) => [name, character]),
);

const shortName = /^:([a-z0-9_+'-]{1,60}):(?::skin-tone-[2-6]:)?/;

/** Reads the emoji at `at`. Returns undefined for an unknown name. */
export function readEmoji(line: string, at: number): { node: Inline; end: number } | undefined {
  const match = shortName.exec(line.slice(at, at + 90));
  const character = match?.[1] === undefined ? undefined : emojiCharacter(match[1]);
  if (!match?.[1] || !character) {
    return undefined;
  }
  return { node: { kind: 'emoji', name: match[1], character }, end: at + match[0].length };
}

export function emojiCharacter(name: string): string | undefined {
  return characters.get(name);
}

/**
 * The emoji of statuses as drawings, which look the same on a machine without an emoji font. All others use the system's
 * font.
 */
const disc = (colour: string) => svg`<circle cx="10" cy="10" r="8" fill=${colour} />`;
const tile = (colour: string) => svg`<rect x="2" y="2" width="16" height="16" rx="4" fill=${colour} />`;
const stroke = (path: string, colour = '#fff', width = 2.2) =>
  svg`<path d=${path} fill="none" stroke=${colour} stroke-width=${width} stroke-linecap="round" stroke-linejoin="round" />`;
const shape = (path: string, colour: string) => svg`<path d=${path} fill=${colour} />`;

const bell = (body: string, clapper: string) => [
  shape('M10 2a5 5 0 0 1 5 5c0 4 1.5 5.5 2 6.5H3c.5-1 2-2.5 2-6.5a5 5 0 0 1 5-5Z', body),
  shape('M8 15h4a2 2 0 0 1-4 0Z', clapper),
];
const hourglass = [
  shape('M5 2h10v2.5L11.5 10 15 15.5V18H5v-2.5L8.5 10 5 4.5Z', '#c98f3c'),
  shape('M7.5 16.5 10 13.2l2.5 3.3Zm.4-10.5h4.2L10 9Z', '#fbe9c2'),
];

const art: Record<string, () => unknown> = {
  '✅': () => [tile('#2e9e6b'), stroke('m6 10.4 2.8 2.8L14.2 7')],
  '✂': () => [
    stroke('M6.5 12.5 15.5 3m-2 10.5L5 3', '#5a6672', 1.8),
    svg`<circle cx="5" cy="15" r="2.6" fill="none" stroke="#d6404f" stroke-width="1.8" />`,
    svg`<circle cx="14.5" cy="15.5" r="2.6" fill="none" stroke="#d6404f" stroke-width="1.8" />`,
  ],
  '❌': () => stroke('m4.5 4.5 11 11m0-11-11 11', '#d6404f', 3),
  '⚠': () => [
    shape(
      'M8.5 2.9a1.75 1.75 0 0 1 3 0l7 12.4a1.75 1.75 0 0 1-1.5 2.6H3a1.75 1.75 0 0 1-1.5-2.6Z',
      '#f2b631',
    ),
    stroke('M10 7.2v4.3m0 3v.1', '#2b2412'),
  ],
  ℹ: () => [tile('#3b7fd1'), stroke('M10 9.5v4.5m0-8v.1')],
  '⛔': () => [disc('#d6404f'), stroke('M6 10h8', '#fff', 3)],
  '🚫': () => [
    svg`<circle cx="10" cy="10" r="7" fill="none" stroke="#d6404f" stroke-width="2.4" />`,
    stroke('m5.2 5.2 9.6 9.6', '#d6404f', 2.4),
  ],
  '⚪': () => [disc('#e6e9ec'), svg`<circle cx="10" cy="10" r="7.5" fill="none" stroke="#b5bcc4" />`],
  '⏸': () => [tile('#5a6672'), stroke('M7.5 6.5v7m5-7v7', '#fff', 2.6)],
  '⏰': () => [
    stroke('m3 5 3-2.5M17 5l-3-2.5M5.5 16.5 4 18m10.5-1.5L16 18', '#d6404f', 2),
    disc('#d6404f'),
    svg`<circle cx="10" cy="10" r="5.8" fill="#fff" />`,
    stroke('M10 6.8V10l2.2 1.6', '#2b3036', 1.6),
  ],
  '📝': () => [
    shape('M4 2h12v16H4Z', '#e8edf2'),
    stroke('M7 6h6M7 9h6M7 12h3.5', '#7b93ad', 1.4),
    stroke('m11 15 5.5-5.5', '#c98f3c', 2.4),
  ],
  '✋': () => [
    shape('M4.5 9h11v4.5a4.5 4.5 0 0 1-4.5 4.5H9.5A5 5 0 0 1 4.5 13Z', '#f2c744'),
    stroke('M5.8 10V5.5m2.8 4V3m2.9 6.5V3.5m2.8 6.5V5.5M15.8 13l1.6-3', '#f2c744', 2.2),
  ],
  '⏳': () => hourglass,
  '⌛': () => hourglass,
  '🔔': () => bell('#f2b631', '#c98f3c'),
  '🔕': () => [bell('#a4acb5', '#7d8691'), stroke('m3.5 3.5 13 13', '#d6404f', 2.2)],
  '❔': () => [
    stroke('M6.5 6.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3', '#a4acb5', 2.8),
    stroke('M10 16.5v.1', '#a4acb5', 3.4),
  ],
  '📤': () => [
    shape('M2 11h4.5l1.5 2.5h4l1.5-2.5H18v6.5H2Z', '#7b93ad'),
    stroke('M10 9.5v-7M6.5 6 10 2.5 13.5 6', '#3b7fd1', 2.2),
  ],
  '📨': () => [
    svg`<rect x="1.5" y="4" width="17" height="12" rx="2" fill="#7b93ad" />`,
    stroke('m3 6 7 5.5L17 6', '#fff', 1.6),
  ],
  '🌙': () => shape('M12.8 2.5A8 8 0 1 0 17.5 13 6.5 6.5 0 0 1 12.8 2.5Z', '#f2c744'),
  '🔑': () => [
    svg`<circle cx="6.5" cy="7" r="3.5" fill="none" stroke="#d9a42b" stroke-width="2.4" />`,
    stroke('m9 9.5 7.5 7.5m-2.5-2.5 2-2', '#d9a42b', 2.4),
  ],
  '🎉': () => [
    shape('M2.5 18 7 6.5l6.5 6.5Z', '#d9a42b'),
    stroke(
      'M8.5 5.5c.5-1.5.2-2.5-.5-3.5m4 6c1-1.8 2.6-3 5-3.5M14.5 11.5c1.2-.5 2.3-.3 3.5.5',
      '#7a5fc0',
      1.6,
    ),
    stroke('M12 2.5v.1m4.5 6v.1m1-6.7v.1', '#d6404f', 2.4),
  ],
  '🔌': () => [
    shape('M5 6h10v4a5 5 0 0 1-10 0Z', '#4b5561'),
    stroke('M7.5 2.5V6m5-3.5V6M10 15v3', '#4b5561'),
  ],
};

const variation = /️$/;
const drawn = new RegExp(`(${Object.keys(art).join('|')})️?`, 'u');

/** Draws an emoji, labelled for screen readers. */
export function drawEmoji(character: string, label: string): TemplateResult {
  const draw = art[character.replace(variation, '')];
  return draw
    ? html`<svg class="emoji" viewBox="0 0 20 20" role="img" aria-label=${label}>${draw()}</svg>`
    : html`<span class="emoji" role="img" aria-label=${label}>${character}</span>`;
}

/** Replaces the emoji in a text that have a drawing. */
export function splitAtEmoji(text: string): unknown {
  const parts = text.split(drawn);
  if (parts.length === 1) {
    return text;
  }
  return parts.map((part, at) => (at % 2 === 1 ? drawEmoji(part, part) : part));
}
