import type { Inline } from './nodes.ts';

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
