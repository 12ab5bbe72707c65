import random

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, batch_first=True)

    def forward(self, src):
        outputs, hidden = self.rnn(self.embedding(src))
        return outputs, hidden


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.vocab = vocab
        self.embedding = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, batch_first=True)
        self.out = nn.Linear(hid, vocab)

    def forward(self, token, hidden):
        emb = self.embedding(token.unsqueeze(1))
        output, hidden = self.rnn(emb, hidden)
        return self.out(output.squeeze(1)), hidden


class Seq2Seq(nn.Module):
    def __init__(self, vocab=20, emb=8, hid=16, max_len=6):
        super().__init__()
        self.encoder = Encoder(vocab, emb, hid)
        self.decoder = Decoder(vocab, emb, hid)
        self.max_len = max_len

    def forward(self, src, trg=None, teacher_forcing_ratio=0.5):
        _, hidden = self.encoder(src)
        token = src[:, 0]
        outputs = []
        length = self.max_len if trg is None else trg.shape[1]
        for t in range(length):
            logits, hidden = self.decoder(token, hidden)
            outputs.append(logits)
            teacher = self.training and trg is not None and random.random() < teacher_forcing_ratio
            token = trg[:, t] if teacher else logits.argmax(1)
        return torch.stack(outputs, dim=1)


def build():
    return Seq2Seq().eval(), (torch.randint(0, 20, (2, 5)),)
