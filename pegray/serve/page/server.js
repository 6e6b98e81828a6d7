/* What is asked of the server, and what it tells by itself. Addresses are below that of the page, which has the token. */

/* error.option: the option at fault, null where none is */
async function answered(response) {
  const document = await response.json().catch(() => ({error: `the server answered ${response.status}`, option: null}));
  if (!response.ok) throw Object.assign(new Error(document.error), {option: document.option});
  return document;
}

async function ask(address, options) {
  try {
    return await answered(await fetch(`api/${address}`, options));
  } catch (error) {
    if (error instanceof TypeError) throw Object.assign(new Error("pegray serve does not answer"), {option: null});
    throw error;
  }
}

export function get(address, values = {}, signal = undefined) {
  return ask(`${address}?${new URLSearchParams(values)}`, {signal});
}

export function post(address, document) {
  return ask(address, {method: "POST", body: JSON.stringify(document)});
}

export function postText(address, values, body) {
  return ask(`${address}?${new URLSearchParams(values)}`, {method: "POST", body});
}

/* Calls onState with what goes on whenever it changes, and onAway with whether the server is gone. Returns a function
   that ends it. */
export function listen(run, onState, onAway) {
  let stream, again;
  const begin = () => {
    stream = new EventSource(run ? `api/events?${new URLSearchParams({run})}` : "api/events");
    stream.onopen = () => onAway(false);
    stream.onmessage = event => onState(JSON.parse(event.data));
    stream.onerror = () => {
      onAway(true);
      if (stream.readyState === EventSource.CLOSED) again = setTimeout(begin, 2000); // it does not try again itself
    };
  };
  begin();
  return () => {
    clearTimeout(again);
    stream.close();
  };
}
