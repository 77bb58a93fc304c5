// Files and folders are sent one after the other; Python moves each batch out of the upload cache at once.
const zone = element.querySelector('.drop');
const pane = element.closest('#library') || zone;
const sending = zone.querySelector('.sending');
const limit = Number(zone.dataset.limit) * 1024 * 1024;
const READABLE = /\.(pdf|docx|md|markdown|html?|txt)$/i;

const say = (text) => { sending.hidden = !text; sending.textContent = text; };

async function sendAll(files, fromFolder) {
  const left = fromFolder ? files.filter((file) => READABLE.test(file.name)) : files;
  const rejected = [];
  let batch = [];
  const hand = () => { if (batch.length) trigger('arrived', { files: batch }); batch = []; };
  for (const [index, file] of left.entries()) {
    say(`Sending ${index + 1} of ${left.length}: ${file.name}`);
    if (file.size > limit) { rejected.push({ name: file.name, why: 'size' }); continue; }
    try {
      const sent = await upload(file);
      batch.push({ path: sent.path, name: file.name });
    } catch (error) {
      console.debug(error);
      rejected.push({ name: file.name, why: 'sending' });
    }
    if (batch.length >= 20) hand();
  }
  hand();
  say('');
  if (fromFolder && left.length < files.length) rejected.push({ name: String(files.length - left.length), why: 'kind' });
  if (rejected.length) trigger('rejected', { files: rejected });
  if (!files.length) trigger('rejected', { files: [{ name: '', why: 'none' }] });
}

const readAll = (reader) => new Promise((resolve, reject) => {
  const found = [];
  const next = () => reader.readEntries((some) => {
    if (some.length) { found.push(...some); next(); } else resolve(found);
  }, reject);
  next();
});
async function walk(entry, files) {
  if (entry.isFile) files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
  else for (const inner of await readAll(entry.createReader())) await walk(inner, files);
}

zone.querySelectorAll('[data-pick]').forEach((button) => {
  button.addEventListener('click', () => zone.querySelector(`.pick-${button.dataset.pick}`).click());
});
zone.querySelectorAll('input[type=file]').forEach((input) => {
  input.addEventListener('change', async () => {
    const files = [...input.files];
    await sendAll(files, input.classList.contains('pick-folder'));
    input.value = '';
  });
});
['dragenter', 'dragover'].forEach((name) => pane.addEventListener(name, (event) => {
  event.preventDefault();
  zone.classList.add('over');
}));
['dragleave', 'drop'].forEach((name) => pane.addEventListener(name, () => zone.classList.remove('over')));
pane.addEventListener('drop', async (event) => {
  event.preventDefault();
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
  const folder = entries.some((entry) => entry.isDirectory);
  const files = [];
  for (const entry of entries) await walk(entry, files);
  await sendAll(files, folder);
});
