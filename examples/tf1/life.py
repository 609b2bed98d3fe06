"""States that assignments move: Newton's root, Fibonacci's numbers, a glider in the game of life, a ring buffer."""

import numpy as np

import steepest.v1 as tf


def fibonacci():
    a, b = tf.Variable(0, trainable=False), tf.Variable(1, trainable=False)
    total = tf.identity(a + b)
    with tf.control_dependencies([total]):
        move = tf.assign(a, tf.identity(b))
    with tf.control_dependencies([move]):
        return a, tf.assign(b, total)


def game(start):
    board = tf.Variable(start, trainable=False)
    padded = tf.pad(board, [[1, 1], [1, 1]])
    rows, columns = start.shape
    around = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    neighbours = tf.add_n([padded[i : rows + i, j : columns + j] for i, j in around])
    survives = tf.logical_and(tf.equal(board, 1), tf.equal(neighbours, 2))
    alive = tf.logical_or(tf.equal(neighbours, 3), survives)
    return board, board.assign(tf.cast(alive, tf.int32))


def ring(size):
    value = tf.placeholder(tf.float32, [])
    kept = tf.Variable(tf.zeros([size]), trainable=False)
    position = tf.Variable(0, trainable=False)
    with tf.control_dependencies([tf.scatter_update(kept, [position], [value])]):
        return value, kept, tf.assign(position, tf.mod(position + 1, size))


def run():
    tf.reset_default_graph()
    x = tf.Variable(1.0, dtype=tf.float64)
    newton = x.assign(x - (x * x - 2.0) / (2.0 * x))
    number, grow = fibonacci()
    glider = np.zeros((7, 7), np.int32)
    glider[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    board, live = game(glider)
    value, kept, push = ring(4)
    matrix = tf.constant([[2.0, 1.0], [1.0, 3.0]], tf.float64)
    vector = tf.Variable(tf.ones([2, 1], tf.float64))
    product = tf.matmul(matrix, vector)
    iterate = tf.assign(vector, product / tf.norm(product))
    rayleigh = tf.squeeze(tf.matmul(vector, tf.matmul(matrix, vector), transpose_a=True))

    with tf.Session() as sess:
        tf.global_variables_initializer().run()
        roots = [sess.run(newton) for _ in range(5)]
        numbers = [sess.run([number, grow])[1] for _ in range(10)]
        boards = [sess.run(live).sum() for _ in range(8)]
        places = [sess.run(push, {value: 1.5 * k}) for k in range(6)]
        for _ in range(20):
            iterate.eval()
        answers = sess.run({"board": board, "ring": kept, "largest": rayleigh, "vector": vector})
        kept.load([9.0, 8.0, 7.0, 6.0], sess)
        answers["loaded"] = kept.eval()
        sess.run(board.initializer)
        answers["first board again"] = bool((board.eval() == glider).all())
    return {**answers, "roots": roots, "numbers": numbers, "cells": boards, "places": places}


if __name__ == "__main__":
    answers = run()
    print(f"the root of 2 is {answers['roots'][-1]:.12f}, the largest eigenvalue {answers['largest']:.9f}")
    print(f"Fibonacci: {' '.join(map(str, answers['numbers']))}")
