const [head, body, state, more] = ['thead tr', 'tbody', 'output', 'button'].map((it) => document.querySelector(it));
const columns = [];
let shown = 0;

async function show() {
  more.disabled = true;
  const { records, rows } = await window.tfrecord.rows(shown);
  for (const features of rows) {
    const row = new Map([['record', shown++], ...features]);
    for (const name of row.keys()) {
      if (columns.includes(name)) continue;
      columns.push(name);
      head.appendChild(document.createElement('th')).textContent = name;
    }
    const line = body.insertRow();
    for (const name of columns) line.insertCell().textContent = row.get(name) ?? '';
  }
  state.textContent = `${shown} of ${records} records`;
  more.disabled = shown === records;
}

more.onclick = () => show().catch((error) => (state.textContent = error.message));
more.click();
