// A function of each generation, and one that asks who wrote; each writes down what it was given.
const {onDocumentCreatedWithAuthContext, onDocumentWritten} = require('firebase-functions/v2/firestore');
const functions = require('firebase-functions/v1');
const admin = require('firebase-admin');

admin.initializeApp();

const note = (id, what) => admin.firestore().doc(`notes/${id}`).set(what);

function change(before, after, id) {
  return {before: before.data() ?? null, after: after.data() ?? null, id};
}

exports.first = functions.firestore.document('orders/{id}').onWrite((written, context) =>
  note(`first-${context.params.id}-${written.after.exists}`, change(written.before, written.after, context.eventId)));

exports.second = onDocumentWritten('orders/{id}', event =>
  note(`second-${event.params.id}-${event.data.after.exists}`, change(event.data.before, event.data.after, event.id)));

exports.author = onDocumentCreatedWithAuthContext('orders/{id}', event =>
  note(`author-${event.params.id}`, {authType: event.authType, data: event.data.data()}));
