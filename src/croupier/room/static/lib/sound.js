// Quiet sounds made on the spot: a chip, a card, a knock. Off until somebody turns them on.

import { setting } from "./settings.js";

let context = null;

function noise(seconds, { frequency, sharpness, volume }) {
  context ??= new AudioContext();
  const frames = Math.ceil(seconds * context.sampleRate);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 3;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: sharpness });
  const gain = new GainNode(context, { gain: volume });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start();
}

const SOUNDS = {
  chip: () => noise(0.05, { frequency: 4200, sharpness: 9, volume: 0.5 }),
  card: () => noise(0.09, { frequency: 1800, sharpness: 0.8, volume: 0.16 }),
  knock: () => noise(0.07, { frequency: 240, sharpness: 3, volume: 0.6 }),
};

export function sound(name) {
  if (setting("sound") === "on") SOUNDS[name]();
}
